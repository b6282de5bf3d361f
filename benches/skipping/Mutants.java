// An agent within a service: makes mutants of its classes by PITest, puts one at a time into the running JVM, and takes it out again.

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pitest.classinfo.ClassByteArraySource;
import org.pitest.classinfo.ClassName;
import org.pitest.mutationtest.EngineArguments;
import org.pitest.mutationtest.engine.Mutater;
import org.pitest.mutationtest.engine.MutationDetails;
import org.pitest.mutationtest.engine.gregor.config.GregorEngineFactory;

/** Commands a line on loopback: {@code list PREFIX...}, {@code put NUMBER}, {@code take}; each answers lines and a line {@code end}. */
public final class Mutants {
    private static Instrumentation instrumentation;
    private static final List<MutationDetails> MUTANTS = new ArrayList<>();
    private static final Map<String, Class<?>> CLASSES = new HashMap<>();
    private static Mutater mutater;
    private static Class<?> changed;

    private Mutants() {}

    public static void premain(String port, Instrumentation given) throws Exception {
        instrumentation = given;
        ServerSocket socket;
        try {
            socket = new ServerSocket(Integer.parseInt(port), 1, InetAddress.getByName("127.0.0.1"));
        } catch (java.net.BindException e) {
            return; // Another JVM that the service starts.
        }
        Thread thread = new Thread(() -> serve(socket), "mutants");
        thread.setDaemon(true);
        thread.start();
    }

    private static void serve(ServerSocket socket) {
        while (true) {
            try (Socket one = socket.accept();
                    BufferedReader in = new BufferedReader(new InputStreamReader(one.getInputStream(), StandardCharsets.UTF_8));
                    PrintWriter out = new PrintWriter(one.getOutputStream(), true)) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    try {
                        answer(line.split(" "), out);
                    } catch (Throwable e) {
                        out.println("failed " + e);
                    }
                    out.println("end");
                }
            } catch (Exception e) {
                return;
            }
        }
    }

    private static void answer(String[] words, PrintWriter out) throws Exception {
        switch (words[0]) {
            case "list":
                list(Arrays.asList(words).subList(2, words.length), words[1], out);
                break;
            case "put":
                MutationDetails mutant = MUTANTS.get(Integer.parseInt(words[1]));
                define(CLASSES.get(mutant.getClassName().asJavaName()), mutater.getMutation(mutant.getId()).getBytes());
                break;
            default:
                if (changed != null) {
                    define(changed, bytes(changed.getName()).orElseThrow(IllegalStateException::new));
                    changed = null;
                }
        }
    }

    private static void define(Class<?> type, byte[] code) throws Exception {
        instrumentation.redefineClasses(new ClassDefinition(type, code));
        changed = type;
    }

    private static void list(List<String> prefixes, String group, PrintWriter out) {
        ClassByteArraySource source = Mutants::bytes;
        mutater = new GregorEngineFactory()
                .createEngine(EngineArguments.arguments().withMutators(Arrays.asList(group)))
                .createMutator(source);
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            String name = type.getName();
            if (!type.isArray() && !name.contains("$$") && prefixes.stream().anyMatch(name::startsWith)) {
                CLASSES.put(name, type);
            }
        }
        for (String name : new java.util.TreeSet<>(CLASSES.keySet())) {
            if (!bytes(name).isPresent()) {
                continue;
            }
            for (MutationDetails mutant : mutater.findMutations(ClassName.fromString(name))) {
                MUTANTS.add(mutant);
                out.println(String.join("\t", name, mutant.getMethod(), mutant.getId().getLocation().getMethodDesc(),
                        String.valueOf(mutant.getLineNumber()), mutant.getMutator().replaceAll(".*\\.", "")));
            }
        }
    }

    private static Optional<byte[]> bytes(String name) {
        Class<?> type = CLASSES.get(name.replace('/', '.'));
        ClassLoader loader = type == null || type.getClassLoader() == null ? ClassLoader.getSystemClassLoader() : type.getClassLoader();
        try (InputStream in = loader.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                return Optional.empty();
            }
            java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
            byte[] part = new byte[8192];
            for (int n = in.read(part); n >= 0; n = in.read(part)) {
                out.write(part, 0, n);
            }
            return Optional.of(out.toByteArray());
        } catch (java.io.IOException e) {
            return Optional.empty();
        }
    }
}
