package mastor;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.PropertyAccessorFactory;

/** Types that hold one value or many of another type: collections, pages, optional and later values. */
final class Holders {
    private static final String DATA = "org.springframework.data.domain.";
    private static final String REACTOR = "reactor.core.publisher.";

    private static final Class<?> PAGE_HELPER = Project.find("com.github.pagehelper.Page");

    private Holders() {}

    static boolean is(Class<?> raw) {
        String name = raw.getName();
        return raw == Iterable.class || Collection.class.isAssignableFrom(raw) || raw == Optional.class
                || raw == Stream.class || raw == java.util.Iterator.class || raw.isAssignableFrom(CompletableFuture.class)
                || isPage(raw) || name.equals(REACTOR + "Mono") || name.equals(REACTOR + "Flux");
    }

    static boolean isPage(Class<?> raw) {
        return raw.getName().equals(DATA + "Page") || raw.getName().equals(DATA + "Slice");
    }

    /** A holder of one item, or of none where it is null; null where this collection is not known. */
    static Object of(Class<?> raw, Object item) {
        if (raw == Optional.class) {
            return Optional.ofNullable(item);
        } else if (raw != Object.class && raw.isAssignableFrom(CompletableFuture.class)) {
            return CompletableFuture.completedFuture(item);
        } else if (raw.getName().equals(REACTOR + "Mono")) {
            return call(raw, "justOrEmpty", Object.class, item);
        }
        return all(raw, item == null ? Collections.emptyList() : Collections.singletonList(item));
    }

    /** A holder of several items. */
    static Object all(Class<?> raw, Collection<?> items) {
        if (raw == Stream.class) {
            return items.stream();
        } else if (raw == java.util.Iterator.class) {
            return items.iterator();
        } else if (isPage(raw)) {
            try {
                return Class.forName(DATA + "PageImpl").getConstructor(List.class).newInstance(new ArrayList<>(items));
            } catch (ReflectiveOperationException absent) {
                return null;
            }
        } else if (raw.getName().equals(REACTOR + "Flux")) {
            return call(raw, "fromIterable", Iterable.class, items);
        } else if (raw.isAssignableFrom(ArrayList.class)) {
            return list(items);
        } else if (raw.isAssignableFrom(LinkedHashSet.class)) {
            return new LinkedHashSet<>(items);
        } else if (raw.isAssignableFrom(TreeSet.class)) {
            return new TreeSet<>(items);
        }
        return raw.isAssignableFrom(ArrayDeque.class) ? new ArrayDeque<>(items) : null;
    }

    /** Lists are those of PageHelper where it is there, since its users cast what a mapper gives. */
    @SuppressWarnings("unchecked")
    private static List<Object> list(Collection<?> items) {
        if (PAGE_HELPER == null) {
            return new ArrayList<>(items);
        }
        List<Object> page = (List<Object>) BeanUtils.instantiateClass(PAGE_HELPER);
        page.addAll(items);
        PropertyAccessorFactory.forBeanPropertyAccess(page).setPropertyValue("total", items.size());
        return page;
    }

    private static Object call(Class<?> type, String name, Class<?> parameter, Object argument) {
        try {
            Method method = type.getMethod(name, parameter);
            return method.invoke(null, argument);
        } catch (ReflectiveOperationException absent) {
            return null;
        }
    }
}
