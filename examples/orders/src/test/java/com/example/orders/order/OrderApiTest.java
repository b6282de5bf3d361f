package com.example.orders.order;

import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.transaction.annotation.Transactional;

@SpringBootTest
@AutoConfigureMockMvc
@Transactional
class OrderApiTest {

    @Autowired
    private MockMvc mvc;

    @Test
    void placesAnOrder() throws Exception {
        mvc.perform(post("/orders").contentType(MediaType.APPLICATION_JSON).content("""
                        {"customerId": 1, "lines": [{"sku": "MUG-001", "quantity": 2}]}"""))
                .andExpect(status().isCreated())
                .andExpect(header().exists("Location"))
                .andExpect(jsonPath("$.status").value("NEW"))
                .andExpect(jsonPath("$.totalCents").value(1980));
    }

    @Test
    void namesTheInvalidFields() throws Exception {
        mvc.perform(post("/orders").contentType(MediaType.APPLICATION_JSON).content("""
                        {"lines": [{"sku": "mug", "quantity": 1}]}"""))
                .andExpect(status().isBadRequest())
                .andExpect(jsonPath("$.fields[0].field").value("customerId"))
                .andExpect(jsonPath("$.fields[1].field").value("lines[0].sku"));
    }

    @Test
    void doesNotSkipAStatus() throws Exception {
        mvc.perform(put("/orders/1/status").contentType(MediaType.APPLICATION_JSON).content("""
                        {"status": "SHIPPED"}"""))
                .andExpect(status().isConflict())
                .andExpect(jsonPath("$.code").value("illegal_transition"));
    }

    @Test
    void doesNotShipWhatIsNotThere() throws Exception {
        mvc.perform(put("/orders/5/status").contentType(MediaType.APPLICATION_JSON).content("""
                        {"status": "SHIPPED"}"""))
                .andExpect(status().isConflict())
                .andExpect(jsonPath("$.code").value("conflict"));
    }

    @Test
    void removesOnlyWhatIsNotUnderWay() throws Exception {
        mvc.perform(delete("/orders/1")).andExpect(status().isNoContent());
        mvc.perform(delete("/orders/2")).andExpect(status().isConflict());
        mvc.perform(delete("/orders/99")).andExpect(status().isNotFound());
    }

    @Test
    void archivingIsForAdministrators() throws Exception {
        mvc.perform(post("/admin/orders/3/archive")).andExpect(status().isUnauthorized());
        mvc.perform(post("/admin/orders/3/archive").with(httpBasic("clerk", "counter")))
                .andExpect(status().isForbidden());
        mvc.perform(post("/admin/orders/3/archive").with(httpBasic("admin", "let-me-in")))
                .andExpect(status().isNoContent());
        mvc.perform(get("/orders/3")).andExpect(status().isNotFound());
    }
}
