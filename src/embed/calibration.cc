#include "embed/calibration.h"

namespace precedent {

std::span<const std::string_view> calibration_texts() {
  static constexpr std::string_view kTexts[] = {
      R"(Checkout returned errors for eleven minutes after the deploy. The connection pool to the
primary database was exhausted; we rolled back and raised its limit from 100 to 250.)",
      "How do I rotate the TLS certificate of the ingress?",
      "disk full",
      R"(Traceback (most recent call last):
  File "/srv/app/worker.py", line 212, in run
    self.queue.get(timeout=5)
_queue.Empty)",
      R"(java.lang.NullPointerException: "order" is null
	at com.example.OrderService.confirm(OrderService.java:88))",
      R"(2026-02-11T09:41:07.332Z ERROR kubelet[1871]: Back-off restarting failed container=ledger
exit_code=137 reason=OOMKilled)",
      R"(| service | owner | tier | on call |
|---|---|---|---|
| ledger | payments | 1 | +1 555 0100 |)",
      "kubectl -n prod rollout undo deployment/checkout --to-revision=41 && kubectl get pods",
      "SELECT account, SUM(amount) FROM transfers WHERE day >= '2026-01-01' GROUP BY account;",
      R"(apiVersion: v1
kind: ConfigMap
data:
  retries: "3"
  timeout_ms: "1500")",
      R"(## Resolution

- Queue lag grows by 5,000 messages a minute

1. Pause the producer.
2. Raise `session.timeout.ms` to 45000.)",
      R"(for (size_t i = 0; i < rows; ++i) {
  if (!parse(lines[i], &record)) return false;
})",
      "数据库主节点在凌晨两点发生故障，自动切换失败。",
      "サーバーの証明書が期限切れになり、ログインできなくなりました。",
      "결제 서비스가 응답하지 않아 재시작했습니다.",
      "Der Speicher lief voll; nach dem Neustart waren die Sitzungen der Kunden verloren.",
      "Сервис уведомлений не отвечал из-за переполнения очереди.",
      "🔥🔥 prod is down!! 😱 rolling back now… 🚀 ✅ fixed, thx team 🙏",
      "a3f5c9e1-7b42-4d0e 10.24.7.113:8443 0x7ffdeadbeef0 sha256:9f86d081884c7d659a2feaa0c55a",
      R"(Children walked along the frozen river to school, and the baker carried his bread in
a sledge.)",
      R"(... !!! ??? --- *** ((())) [[[ ]]] {{{ }}} ;;; ::: "" '' `` ~~ ^^ && || %% $$ ## @@)",
      "1, 2, 3, 5, 8, 13, 21, 34; 99.95 %, 3.14159, 1e-9, -40 °C, 12:30, 7/4, €1.200,50",
  };
  return kTexts;
}

}  // namespace precedent
