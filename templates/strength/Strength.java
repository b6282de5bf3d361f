// Made by mastor: lets PITest make mutants of the application and run the exported tests on each.
package mastor;

import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.pitest.coverage.TestInfo;
import org.pitest.mutationtest.ClassMutationResults;
import org.pitest.mutationtest.ListenerArguments;
import org.pitest.mutationtest.MutationResult;
import org.pitest.mutationtest.MutationResultListener;
import org.pitest.mutationtest.MutationResultListenerFactory;
import org.pitest.mutationtest.build.DefaultTestPrioritiserFactory;
import org.pitest.mutationtest.build.MutationGrouper;
import org.pitest.mutationtest.build.MutationGrouperFactory;
import org.pitest.mutationtest.build.TestPrioritiser;
import org.pitest.mutationtest.build.TestPrioritiserFactory;
import org.pitest.mutationtest.config.PluginServices;
import org.pitest.mutationtest.config.ReportOptions;
import org.pitest.mutationtest.config.SettingsFactory;
import org.pitest.mutationtest.engine.MutationDetails;
import org.pitest.mutationtest.tooling.AnalysisResult;
import org.pitest.mutationtest.tooling.EntryPoint;
import org.pitest.testapi.TestGroupConfig;
import org.pitest.util.Verbosity;

public final class Strength {
    private Strength() {}

    /** Takes one file of properties; a list is a value of several lines. */
    public static void main(String[] arguments) throws Exception {
        Properties given = new Properties();
        given.load(Files.newBufferedReader(Paths.get(arguments[0]), StandardCharsets.UTF_8));
        ReportOptions data = new ReportOptions();
        File directory = new File(given.getProperty("directory"));
        data.setReportDir(given.getProperty("report"));
        data.setShouldCreateTimestampedReports(false);
        data.setClassPathElements(list(given, "class-path"));
        data.setIncludeLaunchClasspath(false);
        data.setCodePaths(list(given, "code"));
        data.setSourceDirs(Collections.emptyList());
        data.setTargetClasses(list(given, "classes"));
        data.setTargetTests(Collections.singletonList(name -> name.startsWith("mastor.") && name.endsWith("Test")));
        data.setMutators(list(given, "mutators"));
        data.setGroupConfig(new TestGroupConfig());
        data.setSkipFailingTests(true);
        data.setDetectInlinedCode(true);
        data.setNumberOfThreads(1);
        data.setTimeoutConstant(Long.parseLong(given.getProperty("timeout")));
        data.setVerbosity(Verbosity.valueOf(given.getProperty("verbosity")));
        data.addChildJVMArgs(list(given, "jvm"));
        Settings settings = new Settings(data, given);
        AnalysisResult result = new EntryPoint().execute(directory, data, settings, new HashMap<>());
        if (result.getError().isPresent()) {
            throw result.getError().get();
        }
        System.exit(0);
    }

    private static List<String> list(Properties given, String name) {
        String value = given.getProperty(name, "");
        return value.isEmpty() ? Collections.emptyList() : Arrays.asList(value.split("\n"));
    }

    /** PITest as it is, but for which mutants share a process, which tests count, and how results are written. */
    private static final class Settings extends SettingsFactory {
        private final Properties given;

        Settings(ReportOptions options, Properties given) {
            super(options, PluginServices.makeForContextLoader());
            this.given = given;
        }

        @Override
        public MutationGrouperFactory getMutationGrouper() {
            return new Groups(given);
        }

        @Override
        public TestPrioritiserFactory getTestPrioritiser() {
            return new Chosen(new HashSet<>(list(given, "without")));
        }

        @Override
        public MutationResultListenerFactory createListener() {
            return new Results(Paths.get(given.getProperty("results")));
        }
    }

    /** How a mutant is named: class, method, its descriptor, mutator and index. */
    static String id(MutationDetails mutant) {
        return mutant.getClassName().asJavaName() + "#" + mutant.getMethod()
                + mutant.getId().getLocation().getMethodDesc() + "@" + mutant.getId().getFirstIndex()
                + "@" + mutant.getId().getMutator();
    }

    /** Many mutants share a process, of several classes; what {@link Between} restores makes that sound. */
    private static final class Groups implements MutationGrouperFactory {
        private final int together;
        private final Set<String> only;
        private final Set<String> known;
        private final Map<String, List<int[]>> lines = new HashMap<>();
        private final Map<String, Set<String>> written = new HashMap<>();

        Groups(Properties given) {
            together = Integer.parseInt(given.getProperty("together"));
            only = new HashSet<>(list(given, "only"));
            known = new HashSet<>(list(given, "known"));
            for (String type : list(given, "written")) {
                String[] parts = type.split(" ");
                written.put(parts[0], new HashSet<>(Arrays.asList(parts)));
            }
            for (String range : list(given, "lines")) {
                String[] parts = range.split(" ");
                int[] ends = {Integer.parseInt(parts[1]), Integer.parseInt(parts[2])};
                lines.computeIfAbsent(parts[0], file -> new ArrayList<>()).add(ends);
            }
        }

        @Override
        public MutationGrouper makeFactory(
                Properties properties, org.pitest.classpath.CodeSource code, int threads, int size) {
            return (classes, mutants) -> {
                List<List<MutationDetails>> groups = new ArrayList<>();
                List<MutationDetails> group = new ArrayList<>();
                int generated = 0;
                for (MutationDetails mutant : mutants) {
                    if (isAsked(mutant) && !isWritten(mutant)) {
                        generated++;
                    } else if (isAsked(mutant) && isOpen(mutant)) {
                        group.add(mutant);
                    }
                    if (group.size() == together) {
                        groups.add(group);
                        group = new ArrayList<>();
                    }
                }
                if (!group.isEmpty()) {
                    groups.add(group);
                }
                long wanted = groups.stream().mapToLong(List::size).sum();
                System.out.println("mastor: mutants " + wanted);
                System.out.println("mastor: generated " + generated);
                return groups;
            };
        }

        private boolean isOpen(MutationDetails mutant) {
            return !known.contains(id(mutant)) && (only.isEmpty() || only.contains(id(mutant)));
        }

        /** Whether its method stands in the sources: what else the class has a tool has made. */
        private boolean isWritten(MutationDetails mutant) {
            // Classes without a name of their own stand within a method.
            String type = mutant.getClassName().asJavaName().replaceFirst("\\$\\d.*", "");
            Set<String> members = written.get(type.replace('$', '.'));
            if (members == null) {
                return false;
            }
            boolean nameless = type.length() < mutant.getClassName().asJavaName().length();
            String method = mutant.getMethod().replaceFirst("^lambda\\$(.*)\\$\\d+$", "$1");
            boolean lambda = !method.equals(mutant.getMethod());
            boolean starts = method.startsWith("<") || lambda && (method.equals("new") || method.equals("static"));
            return nameless || starts || members.contains(method);
        }

        private boolean isAsked(MutationDetails mutant) {
            String name = mutant.getClassName().asInternalName();
            String file = name.substring(0, name.lastIndexOf('/') + 1) + mutant.getFilename();
            return lines.isEmpty() || lines.getOrDefault(file, Collections.emptyList()).stream()
                    .anyMatch(ends -> ends[0] <= mutant.getLineNumber() && mutant.getLineNumber() <= ends[1]);
        }

        @Override
        public String description() {
            return "mutants share processes";
        }
    }

    /** The tests that hold, time after time, on what is not mutated. */
    private static final class Chosen implements TestPrioritiserFactory {
        private final Set<String> without;

        Chosen(Set<String> without) {
            this.without = without;
        }

        @Override
        public TestPrioritiser makeTestPrioritiser(Properties properties, org.pitest.classpath.CodeSource code,
                org.pitest.coverage.CoverageDatabase coverage) {
            TestPrioritiser all = new DefaultTestPrioritiserFactory().makeTestPrioritiser(properties, code, coverage);
            return mutant -> all.assignTests(mutant).stream()
                    .filter(test -> !without.contains(member(test.getName())))
                    .collect(Collectors.toList());
        }

        @Override
        public String description() {
            return "tests that hold";
        }
    }

    /** {@code Class#method} of a test by the name that PITest has for it. */
    static String member(String test) {
        String type = test.replaceAll(".*\\[class:mastor\\.([^\\]]*)\\].*", "$1");
        return type + "#" + test.replaceAll(".*\\[method:([^(\\]]*).*", "$1");
    }

    /** Writes an object of JSON a line. */
    private static final class Results implements MutationResultListenerFactory, MutationResultListener {
        private final Path path;
        private BufferedWriter out;

        Results(Path path) {
            this.path = path;
        }

        @Override
        public MutationResultListener getListener(Properties properties, ListenerArguments arguments) {
            return this;
        }

        @Override
        public void runStart() {
            try {
                out = Files.newBufferedWriter(path, StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void handleMutationResult(ClassMutationResults results) {
            try {
                for (MutationResult result : results.getMutations()) {
                    out.write(line(result));
                    out.newLine();
                }
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String line(MutationResult result) {
            MutationDetails mutant = result.getDetails();
            String covering = mutant.getTestsInOrder().stream()
                    .map(TestInfo::getName).map(test -> text(member(test))).collect(Collectors.joining(","));
            return "{\"id\":" + text(id(mutant))
                    + ",\"class\":" + text(mutant.getClassName().asJavaName())
                    + ",\"file\":" + text(mutant.getFilename())
                    + ",\"method\":" + text(mutant.getMethod())
                    + ",\"line\":" + mutant.getLineNumber()
                    + ",\"mutator\":" + text(mutant.getMutator())
                    + ",\"description\":" + text(mutant.getDescription())
                    + ",\"status\":" + text(result.getStatus().name())
                    + ",\"tests_run\":" + result.getNumberOfTestsRun()
                    + ",\"killed_by\":" + result.getKillingTest().map(test -> text(member(test))).orElse("null")
                    + ",\"covered_by\":[" + covering + "]}";
        }

        private static String text(String text) {
            StringBuilder out = new StringBuilder("\"");
            for (char c : text.toCharArray()) {
                boolean plain = c >= ' ' && c < 127 && c != '"' && c != '\\';
                out.append(plain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
            }
            return out.append('"').toString();
        }

        @Override
        public void runEnd() {
            try {
                out.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String name() {
            return "mastor";
        }

        @Override
        public String description() {
            return "results for mastor";
        }
    }
}
