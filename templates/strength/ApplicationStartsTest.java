// Made by mastor: what runs in this test alone runs when the application starts, and in no request.
package mastor;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.Test;

class ApplicationStartsTest {
    @Test
    void starts() {
        assertNotNull(Mastor.BASE_URL);
    }
}
