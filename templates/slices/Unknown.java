package mastor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Stands for what a call gives of which no declaration says the type, so that a cast of it tells. */
final class Unknown {
    private static final Pattern CAST = Pattern.compile("(?:class )?" + Unknown.class.getName() + " cannot be cast to (?:class )?(\\S+).*");
    private static final List<String> GIVEN = new ArrayList<>();
    private static final Map<String, Class<?>> LEARNED = new HashMap<>();
    private static boolean wanted;
    private static boolean met;
    private static boolean hopeless;

    private Unknown() {}

    /** Forgets what the request before was found to cast. */
    static void begin() {
        LEARNED.clear();
        again(false);
        met = false;
        hopeless = false;
    }

    private static void again(boolean marked) {
        wanted = marked;
        GIVEN.clear();
    }

    /** The type of what a call gives, as far as this request has told; null where it is not known. */
    static Class<?> type(String call) {
        met |= !LEARNED.containsKey(call);
        return LEARNED.get(call);
    }

    /** What a call gives while nothing is known of its type: nothing, or where casts are looked for a mark. */
    static Object mark(String call) {
        if (!wanted) {
            return null;
        }
        GIVEN.add(call);
        return new Unknown();
    }

    /** Whether it is worth asking once more: first with marks, then with the types that their casts told. */
    static boolean isLearning(Throwable failure) {
        Throwable root = failure == null ? null : Factory.root(failure);
        if (!wanted) {
            boolean lost = root instanceof NullPointerException && met && !hopeless && LEARNED.size() < 4;
            again(lost);
            met = false;
            return lost;
        }
        Matcher cast = CAST.matcher(root instanceof ClassCastException ? String.valueOf(root.getMessage()) : "");
        Class<?> type = cast.matches() && !GIVEN.isEmpty() ? Project.find(cast.group(1)) : null;
        hopeless = type == null;
        if (type != null) {
            LEARNED.put(GIVEN.get(GIVEN.size() - 1), type);
        }
        again(false);
        met = false;
        // Marks are never answered: without them the request is asked again as it was.
        return true;
    }
}
