package mastor;

import java.time.format.DateTimeParseException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an exception says of a text that a request brought: which one it was, and what would do in its place. */
final class Hints {
    private static final Pattern CONSTANT = Pattern.compile("No enum constant (?:class )?([\\w.$]+)\\.([^.]*)");
    private static final Pattern QUOTED = Pattern.compile("(?:For input string|Unparseable date|Text)[: ]+[\"']([^\"']*)[\"'].*");
    /** Jackson's words: the type that is wanted, the text, and of enums the constants. */
    private static final Pattern JSON = Pattern.compile("(?:.*JSON parse error: )?Cannot deserialize value of type `([\\w.$]+)` from String \"([^\"]*)\".*");
    private static final Pattern ONE_OF = Pattern.compile(".*not one of the values accepted for Enum class: \\[([^\\]]*)\\].*");
    private static final Pattern LAST = Pattern.compile("Invalid UUID string: (.*)");
    private static final String[] DATES = {
        "2020-01-01", "2020-01-01T00:00:00", "2020-01-01 00:00:00", "2020-01-01T00:00:00Z", "01/01/2020", "01-01-2020", "2020/01/01",
        "00:00:00", "00:00", "20200101",
    };

    private Hints() {}

    /** Takes note of what the exception and its causes say. */
    static void read(Throwable failure) {
        Set<Throwable> seen = new LinkedHashSet<>();
        for (Throwable at = failure; at != null && seen.add(at); at = at.getCause()) {
            String message = String.valueOf(at.getMessage()).split("[\r\n]")[0];
            Matcher constant = CONSTANT.matcher(message);
            Matcher quoted = QUOTED.matcher(message);
            Matcher last = LAST.matcher(message);
            Matcher json = JSON.matcher(message);
            Matcher constants = ONE_OF.matcher(message);
            if (json.matches() && constants.matches()) {
                String[] all = constants.group(1).split(", *");
                for (int i = 0; i < Math.min(3, all.length); i++) {
                    Asked.hint("replace", json.group(2), all[i]);
                }
            } else if (json.matches()) {
                boolean day = json.group(1).contains("ate") || json.group(1).contains("ime") || json.group(1).contains("Instant");
                for (String other : day ? DATES : new String[] {"1", "00000000-0000-0000-0000-000000000001"}) {
                    Asked.hint("replace", json.group(2), other);
                }
            } else if (constant.matches()) {
                Class<?> type = Project.find(constant.group(1));
                Object[] all = type == null || !type.isEnum() ? new Object[0] : type.getEnumConstants();
                for (int i = 0; i < Math.min(3, all.length); i++) {
                    Asked.hint("replace", constant.group(2), ((Enum<?>) all[i]).name());
                }
            } else if (at instanceof NumberFormatException && quoted.matches()) {
                Asked.hint("replace", quoted.group(1), "1");
            } else if (at instanceof DateTimeParseException || at instanceof java.text.ParseException) {
                String text = at instanceof DateTimeParseException
                        ? ((DateTimeParseException) at).getParsedString()
                        : quoted.matches() ? quoted.group(1) : "";
                for (String date : DATES) {
                    Asked.hint("replace", text, date);
                }
            } else if (last.matches()) {
                Asked.hint("replace", last.group(1), "00000000-0000-0000-0000-000000000001");
            }
        }
    }
}
