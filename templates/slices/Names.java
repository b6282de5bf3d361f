package mastor;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AssignableTypeFilter;

/** Texts that look like what the name of a parameter or field says. */
final class Names {
    /** By a part of the name in small letters: the first that fits. */
    private static final String[][] PARTS = {
        {"email", "user@example.com"}, {"mail", "user@example.com"}, {"password", "Secret12!"}, {"uuid", "00000000-0000-0000-0000-000000000001"},
        {"date", "2020-01-01"}, {"birth", "2020-01-01"}, {"time", "2020-01-01T00:00:00"}, {"year", "2020"}, {"phone", "0123456789"},
        {"mobile", "0123456789"}, {"url", "http://localhost/"}, {"uri", "http://localhost/"}, {"direction", "asc"}, {"sortdir", "asc"},
    };
    /** Ends of the names of numbers. */
    private static final String[] NUMBERS = {
        "id", "ids", "no", "number", "num", "count", "page", "size", "limit", "amount", "price", "quantity",
    };
    /** Of these texts, others that code may ask for in their place. */
    static final String[][] OTHERWISE = {
        {"user@example.com", "user@gmail.com"}, {"Secret12!", "Secret1234"}, {"0123456789", "9876543210", "+491701234567"},
        {"1", "00000000-0000-0000-0000-000000000001"}, {"2020-01-01T00:00:00", "2020-01-01T00:00:00Z", "2020-01-01", "2120-01-01T00:00:00"},
        {"2020-01-01", "2020-01-01T00:00:00", "2020-01-01 00:00:00", "01/01/2020", "2120-01-01"},
    };
    private static Map<String, String> constants;

    private Names() {}

    /** A constant of the project's enum of this name, else what the name says, else the name itself. */
    static synchronized String text(String name) {
        String small = name.toLowerCase(Locale.ROOT);
        constants = constants == null ? constants() : constants;
        if (constants.containsKey(small)) {
            return constants.get(small);
        }
        for (String[] part : PARTS) {
            if (small.contains(part[0])) {
                return part[1];
            }
        }
        for (String end : NUMBERS) {
            if (small.endsWith(end)) {
                return "1";
            }
        }
        for (Map.Entry<String, String> one : constants.entrySet()) {
            if (small.length() > 3 && one.getKey().endsWith(small) || one.getKey().length() > 3 && small.endsWith(one.getKey())) {
                return one.getValue();
            }
        }
        return name;
    }

    /** The first constant of each of the project's enums, by the enum's name in small letters. */
    private static Map<String, String> constants() {
        Map<String, String> all = new TreeMap<>();
        ClassPathScanningCandidateComponentProvider scan = new ClassPathScanningCandidateComponentProvider(false) {
            @Override
            protected boolean isCandidateComponent(org.springframework.beans.factory.annotation.AnnotatedBeanDefinition found) {
                return true;
            }
        };
        scan.addIncludeFilter(new AssignableTypeFilter(Enum.class));
        for (String root : Project.PACKAGES) {
            Collection<BeanDefinition> found = scan.findCandidateComponents(root);
            for (BeanDefinition one : found) {
                Class<?> type = Project.find(one.getBeanClassName());
                if (type != null && type.isEnum() && type.getEnumConstants().length > 0) {
                    all.putIfAbsent(type.getSimpleName().toLowerCase(Locale.ROOT), ((Enum<?>) type.getEnumConstants()[0]).name());
                }
            }
        }
        return all;
    }
}
