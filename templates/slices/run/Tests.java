package mastor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs classes of tests, and writes what came of each test: class, method, and the first line of its failure. */
public final class Tests {
    private Tests() {}

    /** Arguments: the file to write, then the classes. */
    public static void main(String[] arguments) throws IOException {
        List<DiscoverySelector> classes = new ArrayList<>();
        for (String name : Arrays.asList(arguments).subList(1, arguments.length)) {
            classes.add(DiscoverySelectors.selectClass(name));
        }
        List<String> lines = new ArrayList<>();
        TestExecutionListener listener = new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() && test.getSource().orElse(null) instanceof MethodSource) {
                    MethodSource source = (MethodSource) test.getSource().get();
                    String failure = result.getThrowable().map(Tests::told).orElse("");
                    lines.add(source.getClassName() + "\t" + source.getMethodName() + "\t" + failure);
                }
            }
        };
        LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request().selectors(classes).build(), listener);
        Files.write(Paths.get(arguments[0]), lines, StandardCharsets.UTF_8);
        System.exit(0);
    }

    /** The class of what caused a failure, with the first line of its text. */
    private static String told(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String text = cause.getMessage() == null ? "" : ": " + cause.getMessage().trim().split("[\r\n\t]")[0];
        String all = (cause.getClass().getName() + text).replaceAll("[\t\r\n]", " ");
        return all.length() > 200 ? all.substring(0, 200) + "…" : all;
    }
}
