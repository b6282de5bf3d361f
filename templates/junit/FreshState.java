// Made by mastor: what a test that needs a fresh state comes to behind tests that have written. Change the suite and export again.
package mastor;

import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * The tests of a class with this extension hold only on the state that the service starts with. What fails where an earlier test has written, and
 * nothing has brought the service back since, proves nothing: it is aborted, and JUnit reports it as skipped, with the reason.
 */
final class FreshState implements BeforeTestExecutionCallback, TestExecutionExceptionHandler {
    private boolean disturbed;

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        disturbed = Mastor.isDisturbed();
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        if (!disturbed || !(failure instanceof AssertionError)) {
            throw failure;
        }
        throw new TestAbortedException(
                "inconclusive: it needs the state that the service starts with, and an earlier test has written. Run "
                        + context.getRequiredTestClass().getSimpleName()
                        + " alone on a service that was just started, or let MASTOR_RESET name what brings it back. "
                        + failure.getMessage(),
                failure);
    }
}
