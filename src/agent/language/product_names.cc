#include "agent/language/product_names.h"

#include <unordered_map>
#include <vector>

#include "base/strings.h"

namespace precedent {
namespace {

// One product a word; spellings of one product are joined by '|'.
constexpr std::string_view kProducts =
    // stores
    "postgresql|postgres|pgsql|pg mysql|mariadb|percona oracle mssql|sqlserver mongodb|mongo "
    "cassandra scylladb|scylla couchbase couchdb dynamodb cockroachdb|cockroach clickhouse "
    "elasticsearch|elastic|opensearch solr influxdb|influx timescaledb|timescale neo4j snowflake "
    "bigquery redshift hbase riak tidb vitess sqlite duckdb redis|valkey|keydb memcached|memcache "
    "minio ceph glusterfs|gluster longhorn s3 etcd zookeeper hazelcast "
    "pgbouncer pgpool patroni proxysql flyway liquibase debezium "
    // messages and streams
    "kafka|redpanda rabbitmq|rabbit activemq nats pulsar sqs sns kinesis pubsub eventbridge celery "
    "sidekiq resque flink hadoop|hdfs yarn hive presto trino airflow dagster luigi "
    // traffic
    "nginx haproxy envoy traefik varnish squid tomcat jetty istio linkerd consul kong cloudfront "
    "cloudflare akamai fastly coredns unbound bind9 keepalived metallb wireguard openvpn "
    // platforms
    "kubernetes|k8s|eks|gke|aks openshift docker|containerd|podman nomad mesos openstack proxmox "
    "vmware|vsphere|esxi ec2 rds fargate heroku "
    // delivery
    "jenkins gitlab bitbucket circleci teamcity spinnaker argocd|argo fluxcd tekton terraform "
    "ansible puppet saltstack artifactory sonarqube helm "
    // observation and paging
    "prometheus alertmanager thanos grafana kibana logstash fluentd fluentbit filebeat graylog "
    "splunk datadog newrelic dynatrace jaeger zipkin zabbix nagios icinga pagerduty opsgenie "
    "sentry "
    // identity and secrets
    "vault keycloak okta auth0 openldap|ldap kerberos "
    // others that are paged about
    "jira confluence salesforce servicenow stripe adyen twilio sendgrid mailgun gunicorn uwsgi php "
    "fpm wordpress";

using Groups = std::unordered_map<std::string_view, std::vector<std::string_view>>;

const Groups& groups() {
  static const Groups all = [] {
    Groups groups;
    for (const std::string_view product : split(kProducts, ' ')) {
      const std::vector<std::string_view> spellings = split(product, '|');
      for (const std::string_view spelling : spellings) groups[spelling] = spellings;
    }
    return groups;
  }();
  return all;
}

}  // namespace

std::span<const std::string_view> product_spellings(std::string_view word) {
  const auto found = groups().find(word);
  return found == groups().end() ? std::span<const std::string_view>() : found->second;
}

}  // namespace precedent
