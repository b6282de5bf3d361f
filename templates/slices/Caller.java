package mastor;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Parameter;
import java.security.Principal;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.type.filter.AssignableTypeFilter;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.method.HandlerMethod;

/** The user who is let in, with every authority that the project names; all by reflection, since Spring Security is optional. */
final class Caller {
    private static final String CORE = "org.springframework.security.";
    private static final Class<?> CONTEXT = Project.find(CORE + "core.context.SecurityContextHolder");
    private static final Class<?> AUTHENTICATION = Project.find(CORE + "core.Authentication");
    private static final Class<?> AUTHORITY = Project.find(CORE + "core.GrantedAuthority");
    private static final Class<?> DETAILS = Project.find(CORE + "core.userdetails.UserDetails");
    private static final List<String> CHECKS =
            Arrays.asList("PreAuthorize", "PostAuthorize", "PreFilter", "PostFilter", "Secured", "RolesAllowed");
    private static final Pattern QUOTED = Pattern.compile("'([^']+)'|\"([^\"]+)\"");
    private static final Set<String> AUTHORITIES = new LinkedHashSet<>(Arrays.asList("USER", "ROLE_USER"));
    private static final Pattern CAST = Pattern.compile("(?:class )?(\\S+) cannot be cast to (?:class )?(\\S+).*");
    private static Class<?> principal;
    private static Class<?> cast;
    private static String last = "";
    private static Object user;
    private static boolean asked;

    private Caller() {}

    /** Reads off the project which authorities it asks for, and of which type its users are. */
    static void learn(Collection<Class<?>> beans, Collection<HandlerMethod> handlers) {
        if (CONTEXT == null) {
            return;
        }
        for (Class<?> bean : beans) {
            Set<Class<?>> types = new LinkedHashSet<>(ClassUtils.getAllInterfacesForClassAsSet(bean));
            types.add(ClassUtils.getUserClass(bean));
            for (Class<?> type : types) {
                if (Project.owns(type)) {
                    checks(type);
                    Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type)).forEach(Caller::checks);
                }
            }
        }
        for (HandlerMethod handler : handlers) {
            for (Parameter parameter : handler.getMethod().getParameters()) {
                Object expression = asked(parameter);
                boolean user = "".equals(expression) && (DETAILS == null || !parameter.getType().isAssignableFrom(DETAILS));
                principal = user && principal == null && parameter.getType() != String.class ? parameter.getType() : principal;
            }
        }
        if (principal == null && DETAILS != null) {
            principal = details();
        }
    }

    private static Object asked(Parameter parameter) {
        for (Annotation one : parameter.getAnnotations()) {
            for (Annotation at : Arrays.asList(one, above(one))) {
                if (at != null && at.annotationType().getSimpleName().equals("AuthenticationPrincipal")) {
                    Object expression = AnnotationUtils.getValue(at, "expression");
                    return expression == null ? "" : expression;
                }
            }
        }
        return null;
    }

    private static Annotation above(Annotation one) {
        return Arrays.stream(one.annotationType().getAnnotations())
                .filter(at -> at.annotationType().getName().startsWith(CORE)).findFirst().orElse(null);
    }

    private static void checks(AnnotatedElement element) {
        for (Annotation one : element.getAnnotations()) {
            for (Annotation at : Arrays.asList(one, above(one))) {
                if (at != null && CHECKS.contains(at.annotationType().getSimpleName())) {
                    Object value = AnnotationUtils.getValue(at);
                    if (value instanceof String[]) {
                        Arrays.stream((String[]) value).forEach(Caller::authority);
                    }
                    Matcher quoted = QUOTED.matcher(value instanceof String ? (String) value : "");
                    while (quoted.find()) {
                        authority(quoted.group(1) == null ? quoted.group(2) : quoted.group(1));
                    }
                }
            }
        }
    }

    private static void authority(String name) {
        AUTHORITIES.add(name);
        AUTHORITIES.add("ROLE_" + name);
    }

    /** The project's own kind of user, where it has one. */
    private static Class<?> details() {
        ClassPathScanningCandidateComponentProvider scan = new ClassPathScanningCandidateComponentProvider(false);
        scan.addIncludeFilter(new AssignableTypeFilter(DETAILS));
        for (String root : Project.PACKAGES) {
            for (BeanDefinition found : scan.findCandidateComponents(root)) {
                Class<?> type = Project.find(found.getBeanClassName());
                if (type != null) {
                    return type;
                }
            }
        }
        return null;
    }

    /** Lets the caller in; gives the principal of the request, or null without Spring Security. */
    static Principal enter() throws ReflectiveOperationException {
        if (CONTEXT == null) {
            return null;
        }
        Object authentication = make(AUTHENTICATION);
        Object context = CONTEXT.getMethod("createEmptyContext").invoke(null);
        Class<?> type = Project.find(CORE + "core.context.SecurityContext");
        type.getMethod("setAuthentication", AUTHENTICATION).invoke(context, authentication);
        CONTEXT.getMethod("setContext", type).invoke(null, context);
        return (Principal) authentication;
    }

    /** Forgets what the request before wanted its user to be. */
    static void begin() {
        cast = null;
        asked = false;
    }

    /** Whether a request failed since it casts its user to another type, which the next user then has. */
    static boolean mistaken(Throwable failure) {
        Throwable root = failure == null ? null : Factory.root(failure);
        Matcher told = CAST.matcher(root instanceof ClassCastException ? String.valueOf(root.getMessage()) : "");
        if (cast != null || !told.matches() || !told.group(1).equals(last)) {
            return false;
        }
        cast = Project.find(told.group(2));
        return cast != null && (cast == String.class || Project.owns(cast));
    }

    /** The code asks who its caller is. */
    static void ask() {
        asked = true;
    }

    /** The user of the last request, where its code asked for it. */
    static Object user() {
        return CONTEXT == null || !asked ? null : user;
    }

    static Collection<String> authorities() {
        return AUTHORITIES;
    }

    static void leave() throws ReflectiveOperationException {
        if (CONTEXT != null) {
            CONTEXT.getMethod("clearContext").invoke(null);
        }
    }

    /** Whether a value is what Spring Security knows of a caller. */
    static boolean is(Object value) {
        return AUTHENTICATION != null && AUTHENTICATION.isInstance(value);
    }

    /** Whether a value of this type comes from the caller. */
    static boolean makes(Class<?> type) {
        return CONTEXT != null && (type == AUTHENTICATION || type == AUTHORITY || type == DETAILS);
    }

    static Object make(Class<?> type) {
        try {
            if (type == AUTHORITY) {
                return Project.find(CORE + "core.authority.SimpleGrantedAuthority")
                        .getConstructor(String.class).newInstance("ROLE_USER");
            }
            Object all = Project.find(CORE + "core.authority.AuthorityUtils").getMethod("createAuthorityList", String[].class)
                    .invoke(null, (Object) AUTHORITIES.toArray(new String[0]));
            Class<?> wanted = cast != null && type != DETAILS ? cast : principal;
            Object user = wanted == null ? null : new Values().of(ResolvableType.forClass(wanted), "user");
            if (user == null) {
                user = Project.find(CORE + "core.userdetails.User")
                        .getConstructor(String.class, String.class, Collection.class).newInstance("user", "password", all);
            }
            if (type == DETAILS) {
                return user;
            }
            last = user.getClass().getName();
            Caller.user = user;
            Class<?> token = Project.find(CORE + "authentication.UsernamePasswordAuthenticationToken");
            Class<?>[] parameters = {Object.class, Object.class, Collection.class};
            Object[] values = {user, "password", all};
            try {
                return Stubs.over(token, AUTHENTICATION, parameters, values);
            } catch (RuntimeException | LinkageError refused) {
                ask();
                return token.getConstructor(parameters).newInstance(values);
            }
        } catch (ReflectiveOperationException | RuntimeException refused) {
            Given.problem("the caller cannot be made: " + refused.getClass().getSimpleName());
            return null;
        }
    }
}
