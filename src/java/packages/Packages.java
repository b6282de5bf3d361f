import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.AccessFlag;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Writes two files: the public types of each package, and the public static methods of each type. Reads the JDK that
 * runs this program (`--jdk`), or jars. Names already in the files are kept, so that the files cover several releases.
 */
public final class Packages {
    private static final Map<String, Set<String>> FOUND = new TreeMap<>();
    private static final Map<String, Set<String>> STATIC = new TreeMap<>();
    private static final String OPEN = "# ";
    /** Packages that no program imports: internals of a library, and copies of other libraries. */
    private static final String OWN = "META-INF.*|(.*[.])?(internal|repackaged|shaded|cglib|asm|objenesis|aot)([.].*)?";

    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[0]);
        Path statics = Path.of(args[1]);
        String head = read(file, FOUND);
        String staticHead = read(statics, STATIC);
        for (String arg : List.of(args).subList(2, args.length)) {
            if (arg.equals("--jdk")) {
                jdk();
            } else {
                try (FileSystem jar = FileSystems.newFileSystem(Path.of(arg))) {
                    classes(jar.getPath("/"), Set.of());
                }
            }
        }
        write(file, head, FOUND);
        write(statics, staticHead, STATIC);
    }

    /** Adds the names in a file to `found`; returns the comment lines of the file. */
    private static String read(Path file, Map<String, Set<String>> found) throws IOException {
        StringBuilder head = new StringBuilder();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(OPEN)) {
                head.append(line).append('\n');
            } else {
                String[] words = line.split(" ");
                found.computeIfAbsent(words[0], key -> new TreeSet<>()).addAll(List.of(words).subList(1, words.length));
            }
        }
        return head.toString();
    }

    private static void write(Path file, String head, Map<String, Set<String>> found) throws IOException {
        StringBuilder text = new StringBuilder(head);
        found.forEach((name, all) -> text.append(name).append(' ').append(String.join(" ", all)).append('\n'));
        Files.writeString(file, text);
    }

    private static void jdk() throws IOException {
        FileSystem image = FileSystems.getFileSystem(URI.create("jrt:/"));
        for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
            ModuleDescriptor descriptor = module.descriptor();
            Set<String> exported = new TreeSet<>();
            descriptor.exports().stream().filter(one -> !one.isQualified()).forEach(one -> exported.add(one.source()));
            if (descriptor.name().startsWith("java.") || descriptor.name().equals("jdk.httpserver")) {
                classes(image.getPath("/modules", descriptor.name()), exported);
            }
        }
    }

    /** Collects the public top-level types below a folder; only those in `packages`, unless that is empty. */
    private static void classes(Path root, Set<String> packages) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.filter(one -> one.toString().endsWith(".class")).toList();
        }
        for (Path path : files) {
            String name = root.relativize(path).toString().replace('/', '.').replaceAll("\\.class$", "");
            String owner = name.substring(0, Math.max(0, name.lastIndexOf('.')));
            String simple = name.substring(name.lastIndexOf('.') + 1);
            boolean plain = simple.matches("[A-Z][A-Za-z0-9_]*") && !owner.isEmpty() && !owner.matches(OWN);
            if (plain && (packages.isEmpty() || packages.contains(owner)) && isPublic(path)) {
                FOUND.computeIfAbsent(owner, key -> new TreeSet<>()).add(simple);
            }
        }
    }

    /** Whether a class is public; if so, records its public static methods. */
    private static boolean isPublic(Path path) throws IOException {
        ClassModel model = ClassFile.of().parse(Files.readAllBytes(path));
        if (!model.flags().has(AccessFlag.PUBLIC)) {
            return false;
        }
        Set<String> found = new TreeSet<>();
        for (MethodModel method : model.methods()) {
            boolean named = method.methodName().stringValue().matches("[a-z][A-Za-z0-9_]*");
            if (named && method.flags().has(AccessFlag.PUBLIC) && method.flags().has(AccessFlag.STATIC)) {
                int count = method.methodTypeSymbol().parameterCount();
                boolean open = method.flags().has(AccessFlag.VARARGS);
                found.add(method.methodName().stringValue() + "/" + (open ? count - 1 + "+" : count));
            }
        }
        String name = model.thisClass().asInternalName().replace('/', '.').replace('$', '.');
        if (!found.isEmpty() && !name.startsWith("org.jooq.") && !name.startsWith("org.hibernate.")) {
            STATIC.computeIfAbsent(name, key -> new TreeSet<>()).addAll(found);
        }
        return true;
    }
}
