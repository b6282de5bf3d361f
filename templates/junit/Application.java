// Made by mastor: starts the application in the JVM of the tests. Change the suite and export again.
package mastor;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
{% if ready_path is not none %}
import java.net.HttpURLConnection;
{% endif %}
import java.net.InetAddress;
{% if ready_path is none %}
import java.net.InetSocketAddress;
{% endif %}
import java.net.MalformedURLException;
import java.net.ServerSocket;
{% if ready_path is none %}
import java.net.Socket;
{% endif %}
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The application under test, started once through its main class. */
final class Application {
    /** What its classes are loaded by. */
    static ClassLoader loader;

    private static List<Memory> memory = new ArrayList<>();

    private static volatile Throwable failure;

    private Application() {}

    /** Starts it and waits until it is ready; gives where it answers. */
    static String start(String mainClass) {
        int port = Integer.parseInt(Mastor.setting("MASTOR_PORT", {{ port | java }}));
        String number = String.valueOf(port == 0 ? freePort() : port);
{% for property in properties %}
        System.setProperty({{ property.name | java }}, {{ property.value | java }}.replace("{port}", number));
{% endfor %}
        String arguments = Mastor.setting("MASTOR_ARGUMENTS", {{ arguments | java }}).replace("{port}", number);
        loader = loader(Mastor.setting("MASTOR_CLASSPATH", ""));
        Thread thread = new Thread(() -> run(mainClass, arguments.trim()), "application");
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        thread.start();
        String url = "http://127.0.0.1:" + number;
        awaitReady(url);
        memory = Memory.of(loader);
        return url{% if base_path %} + {{ base_path | java }}{% endif %};
    }

    /** Brings back what it keeps in the memory of this JVM. */
    static void restore(boolean touched) {
        for (Memory one : memory) {
            one.restore(touched);
        }
    }

    private static void run(String mainClass, String arguments) {
        try {
            Method main = Class.forName(mainClass, true, loader).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) (arguments.isEmpty() ? new String[0] : arguments.split("\\s+")));
        } catch (Throwable thrown) {
            failure = thrown.getCause() == null ? thrown : thrown.getCause();
        }
    }

    /** Its classes apart from those of the tests, so that each has its own libraries; without a class path, those of the tests. */
    private static ClassLoader loader(String classPath) {
        if (classPath.isEmpty()) {
            return Application.class.getClassLoader();
        }
        List<URL> urls = new ArrayList<>();
        for (String path : classPath.split(File.pathSeparator)) {
            try {
                urls.add(new File(path).toURI().toURL());
            } catch (MalformedURLException e) {
                throw new AssertionError("no path: " + path, e);
            }
        }
        return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getSystemClassLoader().getParent());
    }

    private static void awaitReady(String url) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos({{ within }});
        while (!isReady(url)) {
            if (failure != null) {
                throw new AssertionError("the application did not start", failure);
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("the application was not ready within {{ within }} seconds");
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

{% if ready_path is none %}
    /** Whether it accepts connections. */
    private static boolean isReady(String url) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", Integer.parseInt(url.replaceAll(".*:", ""))), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
{% else %}
    /** Whether {{ ready_path | comment }} answers{% if ready_status %} with {{ ready_status }}{% endif %}. */
    private static boolean isReady(String url) {
        try {
            HttpURLConnection connection = (HttpURLConnection) new URL(url + {{ ready_path | java }}).openConnection();
            connection.setConnectTimeout(1000);
            connection.setReadTimeout(5000);
            return connection.getResponseCode() {% if ready_status %}== {{ ready_status }}{% else %}< 500{% endif %};
        } catch (IOException e) {
            return false;
        }
    }
{% endif %}

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError("no free port", e);
        }
    }
}
