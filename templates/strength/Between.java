// Made by mastor: what happens in a process of PITest before the first mutant, and between two of them.
package mastor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Objects;
import org.pitest.boot.HotSwapAgent;
import org.pitest.classinfo.ClassName;
import org.pitest.mutationtest.engine.Mutant;
import org.pitest.mutationtest.environment.EnvironmentResetPlugin;
import org.pitest.mutationtest.environment.ResetEnvironment;
import org.pitest.mutationtest.environment.TransformationPlugin;
import org.pitest.mutationtest.execute.CatchNewClassLoadersTransformer;

/**
 * Starts the application before the first mutant, shows PITest the application's own classes instead of their copies beside the tests, and gives
 * a class its own code back before another one is mutated.
 */
public final class Between implements TransformationPlugin, EnvironmentResetPlugin, ResetEnvironment {
    private ClassName mutated;
    private long since;

    @Override
    public ClassFileTransformer makeMutationTransformer() {
        Objects.requireNonNull(Mastor.BASE_URL);
        Thread.currentThread().setContextClassLoader(new Shown(Application.loader));
        return null;
    }

    @Override
    public ClassFileTransformer makeCoverageTransformer() {
        return null;
    }

    @Override
    public ResetEnvironment make() {
        return this;
    }

    @Override
    public void resetFor(Mutant mutant) {
        long slow = Long.parseLong(Mastor.setting("MASTOR_TIMEOUT", "30000")) * 900_000;
        if (mutated != null && System.nanoTime() - since > slow && isBusy()) {
            // A request is still in the last mutant, and would slow all that follow: they run in a new process.
            Runtime.getRuntime().halt(0);
        }
        ClassName next = mutant.getDetails().getClassName();
        if (mutated != null && !mutated.equals(next)) {
            restore(mutated);
        }
        forgetLoaders();
        // A login of the last mutant must not let the next one in.
        Mastor.forget();
        mutated = next;
        since = System.nanoTime();
    }

    private static void restore(ClassName name) {
        byte[] code = original(name);
        // Else the transformer of PITest would put the last mutant in again.
        forgetLoaders();
        CatchNewClassLoadersTransformer.setMutant(name.asInternalName(), code);
        try {
            HotSwapAgent.hotSwap(Class.forName(name.asJavaName(), false, Application.loader), code);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] original(ClassName name) {
        try (InputStream code = Application.loader.getResourceAsStream(name.asInternalName() + ".class")) {
            return code.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A class is swapped again in every loader that PITest has seen it in: of ours it knows already, and swapping takes long. */
    private static void forgetLoaders() {
        try {
            Field loaders = CatchNewClassLoadersTransformer.class.getDeclaredField("CLASS_LOADERS");
            loaders.setAccessible(true);
            ((Map<?, ?>) loaders.get(null)).clear();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether a thread of the application is still within the class that was mutated. */
    private boolean isBusy() {
        String name = mutated.asJavaName();
        for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
            for (StackTraceElement frame : stack) {
                if (frame.getClassName().equals(name)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public String description() {
        return "application and code between mutants";
    }

    /** The classes of PITest and the tests, and the application's own. */
    private static final class Shown extends ClassLoader {
        private final ClassLoader application;

        Shown(ClassLoader application) {
            super(Between.class.getClassLoader());
            this.application = application;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean ours = name.startsWith("mastor.") || name.startsWith("org.pitest.") || name.startsWith("org.junit.");
            if (!ours) {
                try {
                    return application.loadClass(name);
                } catch (ClassNotFoundException e) {
                    // One of the tests' libraries.
                }
            }
            return super.loadClass(name, resolve);
        }
    }
}
