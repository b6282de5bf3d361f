// Signatures of libraries used by REST services, for type inference, as in `jdk.java`.
package org.springframework.http;
class HttpEntity<T> { HttpEntity(T t) { } T getBody(); boolean hasBody(); }
class RequestEntity<T> extends HttpEntity<T> { }
class ResponseEntity<T> extends HttpEntity<T> {
  ResponseEntity(T t, Object status) { } ResponseEntity(T t, Object headers, Object status) { }
  static <A> ResponseEntity<A> ok(A a); static ResponseEntity.BodyBuilder ok(); static <A> ResponseEntity<A> of(java.util.Optional<A> a); static <A> ResponseEntity<A> ofNullable(A a); static ResponseEntity.BodyBuilder status(Object s); static ResponseEntity.BodyBuilder created(Object u); static ResponseEntity.BodyBuilder accepted(); static ResponseEntity.BodyBuilder badRequest(); static ResponseEntity.HeadersBuilder notFound(); static ResponseEntity.HeadersBuilder noContent();
  interface HeadersBuilder { <A> ResponseEntity<A> build(); HeadersBuilder header(String n, String... v); }
  interface BodyBuilder extends HeadersBuilder { <A> ResponseEntity<A> body(A a); BodyBuilder contentType(Object m); BodyBuilder contentLength(long n); BodyBuilder header(String n, String... v); BodyBuilder headers(Object h); BodyBuilder location(Object u); }
}
package org.springframework.data.repository;
interface Repository<T, ID> { }
interface CrudRepository<T, ID> extends Repository<T, ID> { <S> S save(S s); <S> Iterable<S> saveAll(Iterable<S> s); java.util.Optional<T> findById(ID id); boolean existsById(ID id); Iterable<T> findAll(); Iterable<T> findAllById(Iterable<ID> ids); long count(); void deleteById(ID id); void delete(T t); void deleteAll(Iterable<T> t); void deleteAll(); T findOne(ID id); <S> Iterable<S> save(Iterable<S> s); }
interface ListCrudRepository<T, ID> extends CrudRepository<T, ID> { java.util.List<T> findAll(); java.util.List<T> findAllById(Iterable<ID> ids); <S> java.util.List<S> saveAll(Iterable<S> s); }
interface PagingAndSortingRepository<T, ID> extends CrudRepository<T, ID> { Iterable<T> findAll(org.springframework.data.domain.Sort s); org.springframework.data.domain.Page<T> findAll(org.springframework.data.domain.Pageable p); }
interface ListPagingAndSortingRepository<T, ID> extends PagingAndSortingRepository<T, ID> { }
package org.springframework.data.repository.reactive;
interface ReactiveCrudRepository<T, ID> { <S> reactor.core.publisher.Mono<S> save(S s); reactor.core.publisher.Mono<T> findById(ID id); reactor.core.publisher.Flux<T> findAll(); reactor.core.publisher.Mono<Void> deleteById(ID id); reactor.core.publisher.Mono<Void> delete(T t); }
package org.springframework.data.jpa.repository;
interface JpaRepository<T, ID> extends org.springframework.data.repository.ListCrudRepository<T, ID>, org.springframework.data.repository.PagingAndSortingRepository<T, ID> { T getOne(ID id); T getById(ID id); T getReferenceById(ID id); <S> S saveAndFlush(S s); java.util.List<T> findAll(org.springframework.data.domain.Sort s); java.util.List<T> findAll(); void flush(); }
interface JpaSpecificationExecutor<T> { java.util.Optional<T> findOne(org.springframework.data.jpa.domain.Specification<T> s); java.util.List<T> findAll(org.springframework.data.jpa.domain.Specification<T> s); org.springframework.data.domain.Page<T> findAll(org.springframework.data.jpa.domain.Specification<T> s, org.springframework.data.domain.Pageable p); }
package org.springframework.data.mongodb.repository;
interface MongoRepository<T, ID> extends org.springframework.data.repository.ListCrudRepository<T, ID>, org.springframework.data.repository.PagingAndSortingRepository<T, ID> { java.util.List<T> findAll(); <S> S insert(S s); }
package org.springframework.data.jpa.domain;
@FunctionalInterface interface Specification<T> { Object toPredicate(jakarta.persistence.criteria.Root<T> r, Object q, Object b); }
package org.springframework.data.domain;
interface Sort { }
interface Pageable { }
interface Slice<T> extends Iterable<T> { java.util.List<T> getContent(); <U> Slice<U> map(java.util.function.Function<T, U> f); java.util.stream.Stream<T> stream(); boolean hasContent(); }
interface Page<T> extends Slice<T> { <U> Page<U> map(java.util.function.Function<T, U> f); }
class PageImpl<T> implements Page<T> { PageImpl(java.util.List<T> l) { } PageImpl(java.util.List<T> l, Pageable p, long n) { } }
package org.springframework.web.client;
class RestTemplate { <T> T getForObject(Object u, Class<T> c, Object... v); <T> org.springframework.http.ResponseEntity<T> getForEntity(Object u, Class<T> c, Object... v); <T> T postForObject(Object u, Object r, Class<T> c, Object... v); <T> org.springframework.http.ResponseEntity<T> postForEntity(Object u, Object r, Class<T> c, Object... v); <T> org.springframework.http.ResponseEntity<T> exchange(Object u, Object m, Object e, Class<T> c, Object... v); <T> org.springframework.http.ResponseEntity<T> exchange(Object u, Object m, Object e, org.springframework.core.ParameterizedTypeReference<T> c, Object... v); }
package org.springframework.core;
class ParameterizedTypeReference<T> { ParameterizedTypeReference() { } }
package org.springframework.data.mongodb.core;
interface MongoOperations { <T> T findById(Object i, Class<T> c); <T> T findById(Object i, Class<T> c, String n); <T> T findOne(org.springframework.data.mongodb.core.query.Query q, Class<T> c); <T> T findOne(org.springframework.data.mongodb.core.query.Query q, Class<T> c, String n); <T> java.util.List<T> find(org.springframework.data.mongodb.core.query.Query q, Class<T> c); <T> java.util.List<T> find(org.springframework.data.mongodb.core.query.Query q, Class<T> c, String n); <T> java.util.List<T> findAll(Class<T> c); <T> java.util.List<T> findAll(Class<T> c, String n); boolean exists(org.springframework.data.mongodb.core.query.Query q, Class c); long count(org.springframework.data.mongodb.core.query.Query q, Class c); <T> T save(T t); <T> T save(T t, String n); <T> T insert(T t); <T> T insert(T t, String n); <T> T findAndRemove(org.springframework.data.mongodb.core.query.Query q, Class<T> c); <T> java.util.List<T> findAllAndRemove(org.springframework.data.mongodb.core.query.Query q, Class<T> c); com.mongodb.client.result.DeleteResult remove(Object o); com.mongodb.client.result.DeleteResult remove(org.springframework.data.mongodb.core.query.Query q, Class c); com.mongodb.client.result.UpdateResult updateFirst(org.springframework.data.mongodb.core.query.Query q, Object u, Class c); com.mongodb.client.result.UpdateResult updateMulti(org.springframework.data.mongodb.core.query.Query q, Object u, Class c); com.mongodb.client.result.UpdateResult upsert(org.springframework.data.mongodb.core.query.Query q, Object u, Class c); <T> T findAndModify(org.springframework.data.mongodb.core.query.Query q, Object u, Class<T> c); void dropCollection(Class c); }
class MongoTemplate implements MongoOperations { }
package org.springframework.data.mongodb.core.query;
class Query { Query() { } Query(Criteria c) { } static Query query(Criteria c); Query addCriteria(Criteria c); Query with(org.springframework.data.domain.Sort s); Query limit(int n); Query skip(long n); }
class Criteria { Criteria() { } Criteria(String k) { } static Criteria where(String k); Criteria and(String k); Criteria is(Object o); Criteria ne(Object o); Criteria gt(Object o); Criteria gte(Object o); Criteria lt(Object o); Criteria lte(Object o); Criteria in(Object... o); Criteria nin(Object... o); Criteria exists(boolean b); Criteria orOperator(Criteria... c); Criteria andOperator(Criteria... c); Criteria norOperator(Criteria... c); }
class Update { Update() { } static Update update(String k, Object o); Update set(String k, Object o); Update inc(String k); Update inc(String k, Number n); Update unset(String k); Update push(String k, Object o); }
package com.mongodb.client;
interface MongoClient { MongoDatabase getDatabase(String n); ClientSession startSession(); }
interface ClientSession { <T> T withTransaction(TransactionBody<T> b); void startTransaction(); void commitTransaction(); void abortTransaction(); }
@FunctionalInterface interface TransactionBody<T> { T execute(); }
interface MongoDatabase { <T> MongoCollection<T> getCollection(String n, Class<T> c); }
interface MongoCollection<T> { FindIterable<T> find(); FindIterable<T> find(Object f); long countDocuments(); long countDocuments(Object f); com.mongodb.client.result.DeleteResult deleteOne(Object f); com.mongodb.client.result.DeleteResult deleteMany(Object f); T findOneAndReplace(Object f, T t); T findOneAndReplace(Object f, T t, Object o); T findOneAndDelete(Object f); com.mongodb.client.result.UpdateResult replaceOne(Object f, T t); }
interface FindIterable<T> extends Iterable<T> { T first(); FindIterable<T> sort(Object s); FindIterable<T> limit(int n); FindIterable<T> skip(int n); FindIterable<T> filter(Object f); }
class MongoClients { static MongoClient create(); static MongoClient create(Object o); }
package com.mongodb.client.model;
class Filters { static org.bson.conversions.Bson eq(Object o); static org.bson.conversions.Bson eq(String k, Object o); }
class Updates { static org.bson.conversions.Bson set(String k, Object o); }
class Sorts { static org.bson.conversions.Bson ascending(String... k); static org.bson.conversions.Bson descending(String... k); }
class FindOneAndReplaceOptions { FindOneAndReplaceOptions() { } FindOneAndReplaceOptions returnDocument(ReturnDocument d); FindOneAndReplaceOptions upsert(boolean b); }
class ReplaceOptions { ReplaceOptions() { } ReplaceOptions upsert(boolean b); }
enum ReturnDocument { BEFORE, AFTER }
package com.mongodb.client.result;
class DeleteResult { long getDeletedCount(); boolean wasAcknowledged(); }
class UpdateResult { long getMatchedCount(); long getModifiedCount(); boolean wasAcknowledged(); }
package org.bson.types;
class ObjectId { ObjectId() { } ObjectId(String h) { } static ObjectId get(); static boolean isValid(String h); String toHexString(); }
package org.springframework.jdbc.core;
@FunctionalInterface interface RowMapper<T> { T mapRow(Object r, int n); }
class JdbcTemplate { <T> java.util.List<T> query(String s, RowMapper<T> m, Object... a); <T> java.util.List<T> query(String s, Object[] a, RowMapper<T> m); <T> T queryForObject(String s, Class<T> c, Object... a); <T> T queryForObject(String s, RowMapper<T> m, Object... a); <T> T queryForObject(String s, Object[] a, RowMapper<T> m); <T> java.util.List<T> queryForList(String s, Class<T> c, Object... a); }
package org.springframework.beans.factory;
interface ObjectProvider<T> { T getObject(); T getIfAvailable(); T getIfUnique(); java.util.stream.Stream<T> stream(); }
interface FactoryBean<T> { T getObject(); }
package org.springframework.hateoas;
class EntityModel<T> { T getContent(); static <A> EntityModel<A> of(A a, Object... l); }
class CollectionModel<T> implements Iterable<T> { java.util.Collection<T> getContent(); static <A> CollectionModel<A> of(Iterable<A> a, Object... l); }
class Resource<T> { Resource(T t, Object... l) { } T getContent(); }
class Resources<T> { Resources(Iterable<T> t, Object... l) { } java.util.Collection<T> getContent(); }
package javax.persistence;
interface EntityManager { <T> T find(Class<T> c, Object id); <T> T getReference(Class<T> c, Object id); <T> T merge(T t); void persist(Object o); void remove(Object o); <T> TypedQuery<T> createQuery(String q, Class<T> c); <T> TypedQuery<T> createQuery(javax.persistence.criteria.CriteriaQuery<T> q); <T> TypedQuery<T> createNamedQuery(String q, Class<T> c); javax.persistence.criteria.CriteriaBuilder getCriteriaBuilder(); }
interface TypedQuery<T> { java.util.List<T> getResultList(); java.util.stream.Stream<T> getResultStream(); T getSingleResult(); TypedQuery<T> setParameter(Object n, Object v); TypedQuery<T> setMaxResults(int n); TypedQuery<T> setFirstResult(int n); TypedQuery<T> setHint(String a, Object b); TypedQuery<T> setLockMode(Object m); }
package javax.persistence.criteria;
interface CriteriaBuilder { <T> CriteriaQuery<T> createQuery(Class<T> c); }
interface CriteriaQuery<T> { <X> Root<X> from(Class<X> c); CriteriaQuery<T> select(Object s); CriteriaQuery<T> where(Object... p); CriteriaQuery<T> orderBy(Object... o); CriteriaQuery<T> distinct(boolean b); }
interface Root<T> { }
package javax.inject;
interface Provider<T> { T get(); }
package com.google.inject;
interface Provider<T> { T get(); }
interface Injector { <T> T getInstance(Class<T> c); <T> Provider<T> getProvider(Class<T> c); }
package com.fasterxml.jackson.databind;
class ObjectMapper { <T> T readValue(Object s, Class<T> c); <T> T readValue(Object s, com.fasterxml.jackson.core.type.TypeReference<T> c); <T> T convertValue(Object s, Class<T> c); <T> T convertValue(Object s, com.fasterxml.jackson.core.type.TypeReference<T> c); <T> T treeToValue(Object s, Class<T> c); String writeValueAsString(Object o); }
package com.fasterxml.jackson.core.type;
class TypeReference<T> { TypeReference() { } }
package com.google.gson;
class Gson { <T> T fromJson(Object s, Class<T> c); String toJson(Object o); }
package com.google.gson.reflect;
class TypeToken<T> { TypeToken() { } }
package org.mapstruct.factory;
class Mappers { static <T> T getMapper(Class<T> c); }
package reactor.core.publisher;
class Mono<T> {
  static <A> Mono<A> just(A a); static <A> Mono<A> justOrEmpty(A a); static <A> Mono<A> empty(); static <A> Mono<A> error(Object e); static <A> Mono<A> defer(java.util.function.Supplier<Mono<A>> s); static <A> Mono<A> fromCallable(java.util.concurrent.Callable<A> c); static <A> Mono<A> fromSupplier(java.util.function.Supplier<A> c); static Mono<Void> fromRunnable(Runnable r);
  <R> Mono<R> map(java.util.function.Function<T, R> f); <R> Mono<R> flatMap(java.util.function.Function<T, Mono<R>> f); <R> Flux<R> flatMapMany(java.util.function.Function<T, Flux<R>> f); Mono<T> filter(java.util.function.Predicate<T> p); Mono<T> switchIfEmpty(Mono<T> m); Mono<T> doOnNext(java.util.function.Consumer<T> c); Mono<T> doOnSuccess(java.util.function.Consumer<T> c); Mono<T> doOnError(java.util.function.Consumer<Throwable> c); Mono<T> onErrorResume(java.util.function.Function<Throwable, Mono<T>> f); Mono<T> defaultIfEmpty(T t); <V> Mono<V> then(Mono<V> m); <V> Mono<V> thenReturn(V v); T block(); Flux<T> flux(); Mono<T> cast(Class<T> c); <R> Mono<R> zipWith(Mono<R> m); <R> Mono<R> handle(java.util.function.BiConsumer<T, Object> f); <R> Flux<R> flatMapIterable(java.util.function.Function<T, Iterable<R>> f);
}
class Flux<T> {
  static <A> Flux<A> just(A... a); static <A> Flux<A> empty(); static <A> Flux<A> fromIterable(Iterable<A> a); static <A> Flux<A> fromStream(java.util.stream.Stream<A> a);
  <R> Flux<R> map(java.util.function.Function<T, R> f); <R> Flux<R> flatMap(java.util.function.Function<T, Mono<R>> f); <R> Flux<R> concatMap(java.util.function.Function<T, Mono<R>> f); Flux<T> filter(java.util.function.Predicate<T> p); Flux<T> switchIfEmpty(Flux<T> m); Flux<T> doOnNext(java.util.function.Consumer<T> c); Mono<java.util.List<T>> collectList(); Mono<T> next(); <R> Mono<R> collect(java.util.stream.Collector<T, ?, R> c); Flux<T> take(long n); Flux<T> skip(long n); Flux<T> sort(java.util.Comparator<T> c); Mono<T> single(); java.util.stream.Stream<T> toStream(); Iterable<T> toIterable(); T blockFirst(); <K> Mono<java.util.Map<K, T>> collectMap(java.util.function.Function<T, K> f);
}
package com.google.common.collect;
class Lists { static <T> java.util.ArrayList<T> newArrayList(T... t); static <T> java.util.ArrayList<T> newArrayList(Iterable<T> t); static <T> java.util.LinkedList<T> newLinkedList(); static <A, B> java.util.List<B> transform(java.util.List<A> l, java.util.function.Function<A, B> f); static <T> java.util.List<java.util.List<T>> partition(java.util.List<T> l, int n); static <T> java.util.List<T> reverse(java.util.List<T> l); }
class Sets { static <T> java.util.HashSet<T> newHashSet(T... t); static <T> java.util.HashSet<T> newHashSet(Iterable<T> t); }
class Maps { static <K, V> java.util.HashMap<K, V> newHashMap(); static <K, V> java.util.LinkedHashMap<K, V> newLinkedHashMap(); }
class Iterables { static <T> T getFirst(Iterable<T> i, T d); static <T> T getLast(Iterable<T> i); static <T> T getLast(Iterable<T> i, T d); static <T> T getOnlyElement(Iterable<T> i); static <T> Iterable<T> filter(Iterable<T> i, java.util.function.Predicate<T> p); static <A, B> Iterable<B> transform(Iterable<A> i, java.util.function.Function<A, B> f); static <T> Iterable<T> concat(Iterable<T> a, Iterable<T> b); }
class ImmutableList<E> implements java.util.List<E> { static <T> ImmutableList<T> of(T... t); static <T> ImmutableList<T> copyOf(Iterable<T> t); static <T> ImmutableList.Builder<T> builder(); static class Builder<E> { Builder<E> add(E... e); Builder<E> addAll(Iterable<E> e); ImmutableList<E> build(); } }
class ImmutableSet<E> implements java.util.Set<E> { static <T> ImmutableSet<T> of(T... t); static <T> ImmutableSet<T> copyOf(Iterable<T> t); static <T> ImmutableSet.Builder<T> builder(); static class Builder<E> { Builder<E> add(E... e); Builder<E> addAll(Iterable<E> e); ImmutableSet<E> build(); } }
class ImmutableMap<K, V> implements java.util.Map<K, V> { static <K, V> ImmutableMap<K, V> copyOf(java.util.Map<K, V> m); static <A, B> ImmutableMap<A, B> of(A a, B b); static <A, B> ImmutableMap.Builder<A, B> builder(); static class Builder<K, V> { Builder<K, V> put(K k, V v); Builder<K, V> putAll(java.util.Map<K, V> m); ImmutableMap<K, V> build(); } }
interface Multimap<K, V> { java.util.Collection<V> get(K k); boolean put(K k, V v); java.util.Map<K, java.util.Collection<V>> asMap(); java.util.Collection<V> values(); java.util.Set<K> keySet(); java.util.Collection<java.util.Map.Entry<K, V>> entries(); }
package org.springframework.security.core;
interface Authentication extends java.security.Principal { boolean isAuthenticated(); }
package javax.servlet;
interface ServletRequest { String getParameter(String n); String[] getParameterValues(String n); String getCharacterEncoding(); String getContentType(); String getProtocol(); String getScheme(); String getServerName(); String getRemoteAddr(); String getRemoteHost(); int getServerPort(); }
package javax.servlet.http;
interface HttpServletRequest extends javax.servlet.ServletRequest { String getHeader(String n); String getMethod(); String getRequestURI(); String getServletPath(); String getContextPath(); String getPathInfo(); String getQueryString(); String getRemoteUser(); String getRequestedSessionId(); String getAuthType(); java.security.Principal getUserPrincipal(); boolean isUserInRole(String r); }
