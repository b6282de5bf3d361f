// Made by mastor: runs the exported tests several times in one JVM, in other orders, to know which of them hold whatever ran before.
package mastor;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherFactory;

public final class Rounds {
    private static final String RANDOM = "org.junit.jupiter.api.%sOrderer$Random";

    private Rounds() {}

    /** Takes the file that names the classes and the one to write: a line of test, milliseconds and what went wrong, for each test and round. */
    public static void main(String[] arguments) throws IOException {
        List<Class<?>> classes = Files.readAllLines(Paths.get(arguments[0])).stream()
                .map(Rounds::type).collect(Collectors.toList());
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Paths.get(arguments[1])))) {
            for (int round = 0; round < 3; round++) {
                LauncherFactory.create().execute(ordered(classes, round), new Listener(out));
            }
        }
        System.exit(0);
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName("mastor." + name);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static LauncherDiscoveryRequest ordered(List<Class<?>> classes, int round) {
        org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder request = request();
        classes.forEach(type -> request.selectors(selectClass(type)));
        if (round > 0) {
            request.configurationParameter("junit.jupiter.testclass.order.default", String.format(RANDOM, "Class"))
                    .configurationParameter("junit.jupiter.testmethod.order.default", String.format(RANDOM, "Method"))
                    .configurationParameter("junit.jupiter.execution.order.random.seed", String.valueOf(round));
        }
        return request.build();
    }

    private static final class Listener implements TestExecutionListener {
        private final PrintWriter out;
        private long started;

        Listener(PrintWriter out) {
            this.out = out;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            started = System.nanoTime();
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            MethodSource source = test.getSource().filter(MethodSource.class::isInstance)
                    .map(MethodSource.class::cast).orElse(null);
            if (source != null) {
                String wrong = result.getThrowable().map(Throwable::toString).orElse("").replaceAll("\\s+", " ");
                String type = source.getClassName().replaceAll(".*\\.", "");
                long millis = (System.nanoTime() - started) / 1_000_000;
                out.println(type + "#" + source.getMethodName() + "\t" + millis + "\t" + wrong);
            }
        }
    }
}
