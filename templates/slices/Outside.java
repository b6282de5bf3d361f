package mastor;

import java.util.Set;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/** Knows the types by which a service reaches what is outside of it: stores, brokers, neighbours, the login. */
final class Outside {
    private static final String[] NAMES = {
        "javax.sql.", "java.sql.", "javax.persistence.", "jakarta.persistence.", "javax.jms.", "jakarta.jms.", "javax.mail.",
        "jakarta.mail.", "java.net.http.", "org.springframework.jdbc.", "org.springframework.orm.",
        "org.springframework.transaction.PlatformTransactionManager", "org.springframework.transaction.TransactionManager",
        "org.springframework.data.redis.", "org.springframework.data.mongodb.", "org.springframework.data.elasticsearch.",
        "org.springframework.data.jpa.", "org.springframework.data.repository.", "org.springframework.data.cassandra.",
        "org.springframework.data.neo4j.", "org.springframework.data.jdbc.", "org.springframework.data.r2dbc.",
        "org.springframework.mail.", "org.springframework.kafka.", "org.springframework.amqp.", "org.springframework.jms.",
        "org.springframework.integration.", "org.springframework.batch.", "org.springframework.cloud.",
        "org.springframework.ldap.", "org.springframework.web.client.", "org.springframework.http.client.",
        "org.springframework.web.reactive.function.client.", "org.springframework.security.oauth2.",
        "org.springframework.security.authentication.AuthenticationManager",
        "org.springframework.security.crypto.password.PasswordEncoder", "org.springframework.messaging.simp.",
        "org.springframework.scheduling.quartz.", "org.quartz.", "org.apache.ibatis.", "org.mybatis.", "org.hibernate.S",
        "org.flywaydb.", "liquibase.", "com.mongodb.", "redis.clients.", "io.lettuce.", "org.redisson.", "org.elasticsearch.",
        "co.elastic.", "org.apache.http.", "org.apache.hc.", "org.apache.kafka.", "com.rabbitmq.", "okhttp3.", "retrofit2.",
        "feign.", "io.grpc.", "com.amazonaws.", "software.amazon.", "com.google.cloud.", "com.azure.", "com.aliyun.",
        "io.minio.", "com.zaxxer.", "com.alibaba.druid.", "com.netflix.", "io.r2dbc.", "org.jooq.", "org.apache.zookeeper.",
        "org.apache.curator.", "io.kubernetes.", "com.hazelcast.", "net.javacrumbs.shedlock.",
    };

    private Outside() {}

    /** Whether the type, or one above it, reaches out. */
    static boolean has(Class<?> type) {
        if (Project.owns(type) || BeanPostProcessor.class.isAssignableFrom(type)
                || BeanFactoryPostProcessor.class.isAssignableFrom(type) || isOfMapper(type)) {
            return false;
        }
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (named(at)) {
                return true;
            }
        }
        Set<Class<?>> all = ClassUtils.getAllInterfacesForClassAsSet(type);
        for (Class<?> one : all) {
            if (named(one)) {
                return true;
            }
        }
        return false;
    }

    /** Modules of the JSON mapper reach nothing, whatever library they belong to: a stand-in for one would take the mapper's meaning away. */
    private static boolean isOfMapper(Class<?> type) {
        for (String name : new String[] {"com.fasterxml.jackson.databind.Module", "tools.jackson.databind.JacksonModule"}) {
            Class<?> module = Project.find(name);
            if (module != null && module.isAssignableFrom(type)) {
                return true;
            }
        }
        return false;
    }

    private static boolean named(Class<?> type) {
        for (String name : NAMES) {
            if (type.getName().startsWith(name)) {
                return true;
            }
        }
        return false;
    }
}
