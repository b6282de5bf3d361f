package mastor;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Tells the classes of the project under test from those of its libraries. */
final class Project {
    static final List<String> PACKAGES = new ArrayList<>();

    private Project() {}

    /** A package that the service starts from; its first three parts are the project's, as other modules share them. */
    static void start(String name) {
        String[] parts = name.split("\\.");
        PACKAGES.add(String.join(".", Arrays.copyOf(parts, Math.min(3, parts.length))));
    }

    /** A class is the project's own when it lies in a package of its start, or in a directory instead of an archive. */
    static boolean owns(Class<?> type) {
        String name = type.getName();
        if (type.isPrimitive() || type.isArray() || name.startsWith("java.") || name.startsWith("mastor.")) {
            return false;
        }
        for (String root : PACKAGES) {
            if (name.startsWith(root + ".")) {
                return true;
            }
        }
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL place = source == null ? null : source.getLocation();
        return place != null && place.getPath().endsWith("/");
    }

    /** The class of a name, or null where it is not on the class path. */
    static Class<?> find(String name) {
        try {
            return Class.forName(name, false, Project.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError absent) {
            return null;
        }
    }

    /** The entries of the class path that this class is loaded from. */
    static List<String> classPath() {
        ClassLoader loader = Project.class.getClassLoader();
        List<String> entries = new ArrayList<>();
        if (loader instanceof URLClassLoader) {
            for (URL url : ((URLClassLoader) loader).getURLs()) {
                if (url.getProtocol().equals("file")) {
                    entries.add(new File(URI.create(url.toString())).getPath());
                }
            }
            return entries;
        }
        return Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));
    }

    /** The text of a header: printable and short. */
    static String line(String text) {
        String plain = String.valueOf(text).replaceAll("[^\\x20-\\x7e]", "?");
        return plain.length() > 4000 ? plain.substring(0, 4000) : plain;
    }
}
