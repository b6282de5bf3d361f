// Made by mastor: brings databases in the memory of this JVM back. Change the suite and export again.
package mastor;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The H2 databases that the application keeps in memory, as they were when it was ready. What it keeps in fields of its own stays as it is. */
final class Memory {
    private final Object database;
    private final Connection connection;
    private final List<String> script = new ArrayList<>();
    private long seen;

    private Memory(Object database, Connection connection) throws SQLException, ReflectiveOperationException {
        this.database = database;
        this.connection = connection;
        try (Statement statement = connection.createStatement(); ResultSet lines = statement.executeQuery("SCRIPT")) {
            while (lines.next()) {
                script.add(lines.getString(1));
            }
        }
        seen = changes();
    }

    /** What is in memory now; nothing where the application uses no such database. */
    static List<Memory> of(ClassLoader loader) {
        List<Memory> found = new ArrayList<>();
        try {
            Field databases = Class.forName("org.h2.engine.Engine", true, loader).getDeclaredField("DATABASES");
            databases.setAccessible(true);
            for (Map.Entry<?, ?> entry : new ArrayList<>(((Map<?, ?>) databases.get(null)).entrySet())) {
                String name = String.valueOf(entry.getKey());
                Object database = name.startsWith("mem:") ? opened(entry.getValue()) : null;
                if (database != null) {
                    found.add(new Memory(database, connect(database, name, loader)));
                }
            }
        } catch (ReflectiveOperationException | RuntimeException | SQLException e) {
            found.clear();
        }
        return found;
    }

    /** Brings it back, where something has changed since; also where it only may have: numbers that were drawn are no rows. */
    void restore(boolean touched) {
        try {
            if (!touched && changes() == seen) {
                return;
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("DROP ALL OBJECTS");
                for (String line : script) {
                    statement.execute(line);
                }
            }
            seen = changes();
        } catch (SQLException | ReflectiveOperationException e) {
            throw new AssertionError("the database in memory could not be brought back", e);
        }
    }

    private long changes() throws ReflectiveOperationException {
        return ((Number) call(database, "getModificationDataId")).longValue();
    }

    /** Releases differ in what they keep a database by. */
    private static Object opened(Object held) throws ReflectiveOperationException {
        if (held == null || held.getClass().getSimpleName().equals("Database")) {
            return held;
        }
        Field database = held.getClass().getDeclaredField("database");
        database.setAccessible(true);
        return database.get(held);
    }

    /** A connection of an administrator: which password the application has is of no account. */
    private static Connection connect(Object database, String name, ClassLoader loader) throws ReflectiveOperationException {
        Object session = session(database);
        for (Constructor<?> made : Class.forName("org.h2.jdbc.JdbcConnection", true, loader).getConstructors()) {
            Class<?>[] wants = made.getParameterTypes();
            if (wants.length == 3 && wants[0].isInstance(session) && wants[1] == String.class && wants[2] == String.class) {
                return (Connection) made.newInstance(session, "SA", "jdbc:h2:" + name);
            }
        }
        throw new NoSuchMethodException("JdbcConnection");
    }

    private static Object session(Object database) throws ReflectiveOperationException {
        Object administrator = null;
        for (Object user : (Collection<?>) call(database, has(database, "getAllUsers") ? "getAllUsers" : "getAllUsersAndRoles")) {
            if (user.getClass().getSimpleName().equals("User") && Boolean.TRUE.equals(call(user, "isAdmin"))) {
                administrator = user;
            }
        }
        for (Method method : database.getClass().getDeclaredMethods()) {
            if (method.getName().equals("createSession") && administrator != null) {
                method.setAccessible(true);
                return method.getParameterCount() == 1
                        ? method.invoke(database, administrator)
                        : method.invoke(database, administrator, null);
            }
        }
        throw new NoSuchMethodException("createSession");
    }

    private static boolean has(Object object, String name) {
        for (Method method : object.getClass().getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == 0) {
                return true;
            }
        }
        return false;
    }

    private static Object call(Object object, String name) throws ReflectiveOperationException {
        Method method = object.getClass().getMethod(name);
        method.setAccessible(true);
        try {
            return method.invoke(object);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
