package java.util;

/** Splits a text into tokens; the delimiters can be changed for each token. */
public class StringTokenizer implements Enumeration<Object> {
    private final String text;
    private String by;
    private final boolean gives;
    private int at;

    public StringTokenizer(String text) {
        this(text, " \t\n\r\f", false);
    }

    public StringTokenizer(String text, String by) {
        this(text, by, false);
    }

    public StringTokenizer(String text, String by, boolean gives) {
        this.text = text;
        this.by = by;
        this.gives = gives;
        // As in Java, a null text is rejected here, but null delimiters only when a token is looked for.
        text.length();
    }

    public boolean hasMoreTokens() {
        return begin(at) < text.length();
    }

    public boolean hasMoreElements() {
        return hasMoreTokens();
    }

    public String nextToken() {
        at = begin(at);
        if (at >= text.length()) {
            throw new NoSuchElementException();
        }
        int from = at;
        at = end(from);
        return text.substring(from, at);
    }

    public String nextToken(String by) {
        this.by = by;
        return nextToken();
    }

    public Object nextElement() {
        return nextToken();
    }

    public int countTokens() {
        int count = 0;
        int place = at;
        while (place < text.length() && begin(place) < text.length()) {
            place = end(begin(place));
            count++;
        }
        return count;
    }

    private int begin(int from) {
        by.length();
        int place = from;
        while (!gives && place < text.length() && divides(place)) {
            place++;
        }
        return place;
    }

    private int end(int from) {
        int place = from;
        while (place < text.length() && !divides(place)) {
            place++;
        }
        return gives && place == from && place < text.length() ? place + 1 : place;
    }

    private boolean divides(int place) {
        return by.indexOf(text.charAt(place)) >= 0;
    }
}
