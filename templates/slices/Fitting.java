package mastor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.support.DefaultConversionService;

/** Picks values that the project's own rules of validation take; by reflection, since there are two packages of them, and they are optional. */
final class Fitting {
    private static final DefaultConversionService CONVERSION = new DefaultConversionService();
    /** What a text may have to look like: an address, a number, a day, a word that is secret enough, a telephone number. */
    private static final List<String> TEXTS = Arrays.asList(
            "user@example.com", "1", "12345678", "Secret12!", "abc", "AB", "A", "text of more words", "2030-01-01", "+491701234567",
            "0170123456", "12345", "123456", "1234567890", "12345678901", "http://localhost/", "00000000-0000-0000-0000-000000000001",
            "EUR", "en", "12:00", "2030-01-01T00:00:00Z", "M", "4111111111111111", "#ffffff", "127.0.0.1");
    private static final List<String> NUMBERS = Arrays.asList("1", "10", "100", "18", "1000", "2020", "0", "5", "0.5", "-1", "12345678");

    private final Object validator;
    private final Method check;

    private Fitting(Object validator, Method check) {
        this.validator = validator;
        this.check = check;
    }

    /** By the context's validator, else by the one that the class path has; all fits where there is none. */
    static Fitting of(ApplicationContext context) {
        for (String root : new String[] {"jakarta.validation.", "javax.validation."}) {
            Class<?> type = Project.find(root + "Validator");
            if (type == null) {
                continue;
            }
            try {
                Method check = type.getMethod("validateValue", Class.class, String.class, Object.class, Class[].class);
                for (Object bean : context.getBeansOfType(type).values()) {
                    return new Fitting(bean, check);
                }
                Object factory = Class.forName(root + "Validation").getMethod("buildDefaultValidatorFactory").invoke(null);
                return new Fitting(Class.forName(root + "ValidatorFactory").getMethod("getValidator").invoke(factory), check);
            } catch (ReflectiveOperationException | RuntimeException | LinkageError absent) {
                // The other one may be there.
            }
        }
        return new Fitting(null, null);
    }

    /** Whether a property of a class may have this value, as far as its own rules say. */
    boolean fits(Class<?> bean, String property, Object value) {
        if (validator == null) {
            return true;
        }
        try {
            return ((Collection<?>) check.invoke(validator, bean, property, value, new Class<?>[0])).isEmpty();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError unknown) {
            return true;
        }
    }

    /** The value, or one in its place that the rules of the property take. */
    Object fit(Class<?> bean, String property, ResolvableType type, Object value) {
        if (fits(bean, property, value)) {
            return value;
        }
        Class<?> raw = Values.boxed(type.resolve(Object.class));
        if (raw == String.class) {
            return first(bean, property, TEXTS, value);
        } else if (Number.class.isAssignableFrom(raw)) {
            for (String number : NUMBERS) {
                Object other = converted(number, raw);
                if (other != null && fits(bean, property, other)) {
                    return other;
                }
            }
        } else if (raw == Boolean.class) {
            return !Boolean.TRUE.equals(value);
        } else if (raw.isEnum()) {
            return first(bean, property, Arrays.asList(raw.getEnumConstants()), value);
        } else {
            Object later = new Values().of(type, "expiry");
            return later != null && fits(bean, property, later) ? later : value;
        }
        return value;
    }

    private Object first(Class<?> bean, String property, List<?> all, Object otherwise) {
        for (Object one : all) {
            if (fits(bean, property, one)) {
                return one;
            }
        }
        return otherwise;
    }

    private static Object converted(String text, Class<?> type) {
        try {
            return CONVERSION.convert(text, type);
        } catch (RuntimeException other) {
            return null;
        }
    }
}
