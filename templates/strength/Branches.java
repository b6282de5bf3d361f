// Made by mastor: runs the exported tests once under JaCoCo, and says which branches of the application no test takes.
package mastor;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jacoco.agent.rt.IAgent;
import org.jacoco.agent.rt.RT;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.ILine;
import org.jacoco.core.data.ExecutionDataReader;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

public final class Branches {
    private Branches() {}

    /**
     * Takes files with the names of the test classes, of the tests to leave out and of the application's classes, the file to write, and the folders of
     * classes. Writes a line for each line of code with branches: file, line, branches that no test takes, branches that one takes, and whether
     * the line runs when the application starts and in no test.
     */
    public static void main(String[] arguments) throws IOException {
        List<String> tests = Files.readAllLines(Paths.get(arguments[0]));
        Set<String> without = new HashSet<>(Files.readAllLines(Paths.get(arguments[1])));
        Set<String> classes = new HashSet<>(Files.readAllLines(Paths.get(arguments[2])));
        Objects.requireNonNull(Mastor.BASE_URL);
        IAgent agent = RT.getAgent();
        ExecutionDataStore start = read(agent.getExecutionData(true));
        LauncherDiscoveryRequestBuilder request = request().filters((PostDiscoveryFilter) test -> isLeftOut(test, without)
                ? FilterResult.excluded("it does not hold") : FilterResult.included("it holds"));
        for (String name : tests) {
            if (!name.equals("ApplicationStartsTest")) {
                request.selectors(selectClass("mastor." + name));
            }
        }
        LauncherFactory.create().execute(request.build());
        Map<String, int[]> inTests = new TreeMap<>();
        Map<String, int[]> atStart = new TreeMap<>();
        for (int i = 4; i < arguments.length; i++) {
            count(read(agent.getExecutionData(false)), new File(arguments[i]), classes, inTests);
            count(start, new File(arguments[i]), classes, atStart);
        }
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Paths.get(arguments[3])))) {
            inTests.forEach((place, found) -> {
                boolean starts = found[2] == 0 && atStart.get(place)[2] > 0;
                out.println(place + "\t" + found[0] + "\t" + found[1] + "\t" + starts);
            });
        }
        System.exit(0);
    }

    private static boolean isLeftOut(TestDescriptor test, Set<String> without) {
        return test.getSource().filter(MethodSource.class::isInstance).map(MethodSource.class::cast)
                .map(source -> source.getClassName().replaceAll(".*\\.", "") + "#" + source.getMethodName())
                .filter(without::contains).isPresent();
    }

    private static ExecutionDataStore read(byte[] data) throws IOException {
        ExecutionDataStore store = new ExecutionDataStore();
        ExecutionDataReader reader = new ExecutionDataReader(new ByteArrayInputStream(data));
        reader.setExecutionDataVisitor(store);
        reader.setSessionInfoVisitor(new SessionInfoStore());
        reader.read();
        return store;
    }

    /** By file and line: branches missed and taken, and instructions that ran. */
    private static void count(ExecutionDataStore store, File folder, Set<String> classes, Map<String, int[]> into)
            throws IOException {
        CoverageBuilder coverage = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(store, coverage);
        Path root = folder.toPath();
        List<Path> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.filter(path -> classes.contains(outermost(root.relativize(path)))).collect(Collectors.toList());
        }
        for (Path file : files) {
            analyzer.analyzeClass(Files.readAllBytes(file), file.toString());
        }
        for (IClassCoverage type : coverage.getClasses()) {
            String file = type.getPackageName().isEmpty() ? "" : type.getPackageName() + "/";
            for (int number = type.getFirstLine(); number > 0 && number <= type.getLastLine(); number++) {
                ILine line = type.getLine(number);
                if (line.getBranchCounter().getTotalCount() > 0) {
                    int[] found = into.computeIfAbsent(file + type.getSourceFileName() + "\t" + number, place -> new int[3]);
                    found[0] += line.getBranchCounter().getMissedCount();
                    found[1] += line.getBranchCounter().getCoveredCount();
                    found[2] += line.getInstructionCounter().getCoveredCount();
                }
            }
        }
    }

    /** The full name of the outermost class in whose file a class stands; empty where it is no class. */
    private static String outermost(Path file) {
        String name = file.toString().replace(File.separatorChar, '.');
        return name.endsWith(".class") ? name.substring(0, name.length() - 6).split("\\$")[0] : "";
    }
}
