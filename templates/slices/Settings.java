package mastor;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.LogManager;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;

/** The settings that the service would start with, and silence around them. */
final class Settings {
    private static final String[] FIXED = {
        "spring.boot.enableautoconfiguration=false", "spring.main.web-application-type=none",
        "spring.main.web-environment=false", "spring.main.banner-mode=off", "spring.main.lazy-initialization=true",
        "spring.jmx.enabled=false", "spring.config.on-not-found=ignore", "spring.cloud.bootstrap.enabled=false",
        "spring.cloud.config.enabled=false", "spring.cloud.config.discovery.enabled=false",
        "spring.cloud.consul.enabled=false", "spring.cloud.zookeeper.enabled=false", "spring.cloud.vault.enabled=false",
        "spring.cloud.kubernetes.enabled=false", "spring.cloud.nacos.config.enabled=false",
        "spring.cloud.nacos.discovery.enabled=false", "spring.cloud.discovery.enabled=false",
        "eureka.client.enabled=false", "spring.devtools.restart.enabled=false", "apollo.bootstrap.enabled=false",
        "org.springframework.boot.logging.LoggingSystem=none", "org.slf4j.simpleLogger.defaultLogLevel=off",
    };

    private Settings() {}

    /** Reads the application's own settings through Spring Boot, where that is there. */
    static ConfigurableEnvironment read() throws IOException {
        for (String setting : FIXED) {
            int at = setting.indexOf('=');
            System.setProperty(setting.substring(0, at), setting.substring(at + 1));
        }
        silence();
        Class<?> boot = Project.find("org.springframework.boot.SpringApplication");
        if (boot == null) {
            return new StandardEnvironment();
        }
        try {
            return environment(boot);
        } catch (InvocationTargetException | RuntimeException | LinkageError failure) {
            Throwable cause = failure instanceof InvocationTargetException ? failure.getCause() : failure;
            System.out.println("mastor: the settings cannot be read: " + cause.getClass().getName());
        } catch (ReflectiveOperationException other) {
            System.out.println("mastor: this Spring Boot is not known: " + other.getMessage());
        }
        return new StandardEnvironment();
    }

    private static ConfigurableEnvironment environment(Class<?> boot) throws ReflectiveOperationException {
        for (Constructor<?> constructor : boot.getConstructors()) {
            Class<?>[] parameters = constructor.getParameterTypes();
            if (parameters.length == 1 && parameters[0].isArray()) {
                Object sources = Array.newInstance(parameters[0].getComponentType(), 1);
                Array.set(sources, 0, Nothing.class);
                Object context = boot.getMethod("run", String[].class)
                        .invoke(constructor.newInstance(sources), (Object) new String[0]);
                return ((ConfigurableApplicationContext) context).getEnvironment();
            }
        }
        throw new NoSuchMethodException("SpringApplication(sources)");
    }

    /** Logs of the project may hold its data and reach out to servers, so nothing is logged at all. */
    private static void silence() throws IOException {
        LogManager.getLogManager().reset();
        java.util.logging.Logger.getLogger("").setLevel(Level.OFF);
        set("logback.configurationFile", "<configuration><root level=\"OFF\"/></configuration>");
        String log4j = "<Configuration status=\"OFF\"><Loggers><Root level=\"OFF\"/></Loggers></Configuration>";
        set("log4j.configurationFile", log4j);
        set("log4j2.configurationFile", log4j);
    }

    private static void set(String property, String text) throws IOException {
        Path file = Files.createTempFile("mastor", ".xml");
        file.toFile().deleteOnExit();
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        System.setProperty(property, file.toString());
    }

    /** The empty application that reads the settings. */
    static final class Nothing {}
}
