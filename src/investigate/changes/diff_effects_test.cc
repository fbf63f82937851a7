#include "investigate/changes/diff_effects.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace precedent {
namespace {

std::vector<Effect> effects(std::string_view file, std::string_view diff) {
  return effects_of(parse_diff(diff, {std::string(file)}));
}

// The row is found, can cause the symptom, and its edit is a strong one.
void expect_row(std::string_view file, std::string_view diff, std::string_view row,
                Symptom symptom) {
  for (const Effect& effect : effects(file, diff)) {
    if (effect.row != row) continue;
    EXPECT_TRUE(effect.can_cause.has(symptom)) << row;
    EXPECT_GE(effect.strength, 0.55) << row;
    return;
  }
  ADD_FAILURE() << "no " << row << " in:\n" << diff;
}

// Nothing in it is more than a change of behaviour that may be none.
void expect_harmless(std::string_view file, std::string_view diff) {
  for (const Effect& effect : effects(file, diff))
    EXPECT_LE(effect.strength, 0.3) << effect.row << " in:\n" << diff;
}

TEST(DiffEffects, ACheckThatIsGone) {
  expect_row("ship/label.go",
             "@@ func zone(a *Address) string {\n-\tif a.Region == nil {\n-\t\treturn "
             "defaultZone\n-\t}\n \treturn a.Region.Zone\n",
             "guard_removed", Symptom::kCrash);
  expect_row("ship/label.py",
             "@@ def zone(a):\n-    if a.region is None:\n-        return DEFAULT\n     return "
             "a.region.zone\n",
             "guard_removed", Symptom::kCrash);
  expect_row("ship/label.ts",
             "@@\n-  return address?.region?.zone;\n+  return address.region.zone;\n",
             "guard_removed", Symptom::kCrash);
}

TEST(DiffEffects, ACheckThatMovedIsStillThere) {
  expect_harmless("ship/label.go",
                  "@@ func zone(a *Address) string {\n-\tif a.Region == nil { return defaultZone "
                  "}\n+\tif a.Region == nil {\n"
                  "+\t\treturn defaultZone\n+\t}\n");
  expect_harmless("ship/label.go",
                  "@@\n-\tlabel, err := s.printer.Print(ctx, id)\n-\tif err != nil { return nil, "
                  "err }\n-\treturn label, nil\n"
                  "+\treturn s.printer.Print(ctx, id)\n");
}

TEST(DiffEffects, ACallInALoop) {
  expect_row("fleet/report.py",
             "@@ def report(trucks):\n     for truck in trucks:\n+        driver = "
             "session.query(Driver).get(truck.driver_id)\n         rows.append(truck)\n",
             "call_in_loop", Symptom::kFanOut);
  expect_row("fleet/Report.java",
             "@@\n     for (Truck t : trucks) {\n+      Driver d = "
             "driverRepository.findById(t.driverId());\n       rows.add(t);\n     }\n",
             "call_in_loop", Symptom::kLatency);
}

TEST(DiffEffects, ARegularExpressionThatTriesEverySplit) {
  const auto splits = [](std::string_view form) {
    double most = 0;
    for (const Effect& effect :
         effects("ship/zip.ts", "@@\n+const ZIP = " + std::string(form) + ";\n"))
      if (effect.row == "heavy_work") most = std::max(most, effect.strength);
    return most >= 0.8;
  };
  for (const char* form : {"/^(\\w+)*$/", "/^(?:[a-z]+[ .]?)+$/", "/(?:\\d+-?)+x/", "/(a*)+/"})
    EXPECT_TRUE(splits(form)) << form;
  for (const char* form : {"/^(?:[a-z]+ )+$/", "/^[a-z]+$/", "/^(?:ab?)+$/", "/(\\d+)-(\\d+)/"})
    EXPECT_FALSE(splits(form)) << form;
}

TEST(DiffEffects, WhatWasGivenBackOnEveryWayOut) {
  expect_row("ship/scan.go",
             "@@ func scan(p string) error {\n \tf, err := os.Open(p)\n-\tdefer f.Close()\n"
             "+\tif small(f) {\n+\t\treturn nil\n+\t}\n+\tf.Close()\n",
             "not_released", Symptom::kHandles);
  for (const Effect& effect : effects("ship/scan.go",
                                      "@@ func scan(p string) error {\n-\tdefer f.Close()\n"
                                      "+\tdefer file.Close()\n"))
    EXPECT_NE(effect.row, "not_released");
}

TEST(DiffEffects, ANumberThatIsHeldInFewerBits) {
  expect_row("ship/Parcel.java", "@@\n-    long weight = w;\n+    int weight = w.intValue();\n",
             "narrowed", Symptom::kDataFormat);
  expect_row("ship/parcel.go", "@@\n-\tID int64\n+\tID int32\n", "narrowed", Symptom::kErrors);
  for (const Effect& effect : effects("ship/parcel.go", "@@\n-\tID int32\n+\tID int64\n"))
    EXPECT_NE(effect.row, "narrowed");
}

TEST(DiffEffects, ASettingThatIsReadUnderAnotherName) {
  constexpr std::string_view kRead =
      "--- a/chart/templates/worker.tpl\n+++ b/chart/templates/worker.tpl\n@@ -1 +1 @@\n"
      "-  - --threads={{ .Values.worker.threads | default 2 }}\n"
      "+  - --threads={{ .Values.worker.slots | default 2 }}\n";
  constexpr std::string_view kGiven =
      "--- a/chart/values.yaml\n+++ b/chart/values.yaml\n@@ -1,2 +1,2 @@\n worker:\n"
      "-  threads: 12\n+  slots: 12\n";
  expect_row("chart/templates/worker.tpl", kRead, "setting_renamed", Symptom::kQueue);
  expect_row("ship/app.py",
             "@@\n-url = os.environ[\"LABEL_URL\"]\n+url = os.environ[\"LABELS_URL\"]\n",
             "setting_renamed", Symptom::kErrors);
  for (const Effect& effect :
       effects_of(parse_diff(std::string(kRead) + std::string(kGiven),
                             {"chart/templates/worker.tpl", "chart/values.yaml"})))
    EXPECT_NE(effect.row, "setting_renamed") << "it is given under the new name, too";
}

TEST(DiffEffects, AKeyOfACacheThatTellsLessApart) {
  const auto causes_wrong_data = [](std::string_view after) {
    const std::string diff =
        "@@ func (c *cache) label(p Parcel) string {\n"
        "-\tkey := fmt.Sprintf(\"%s:%s\", p.Tenant, p.Code)\n" +
        std::string(after) + " \treturn c.cache.get(key)\n";
    return std::ranges::any_of(effects("ship/cache.go", diff), [](const Effect& effect) {
      return effect.row == "cache_bypassed" && effect.can_cause.has(Symptom::kDataFormat);
    });
  };
  EXPECT_TRUE(causes_wrong_data("+\tkey := \"v2:\" + p.Code\n"));
  EXPECT_FALSE(causes_wrong_data("+\tkey := fmt.Sprintf(\"v2:%s:%s\", p.Tenant, p.Code)\n"));
}

TEST(DiffEffects, WhatCodeIsAboutTellsTheRareSymptomOfASlipInIt) {
  constexpr std::string_view kEdit = "@@\n-  return left(n);\n+  return rest(n, total);\n";
  const auto can = [&](std::string_view file, Symptom symptom) {
    const std::vector<Effect> all = effects(file, kEdit);
    return std::ranges::any_of(all,
                               [&](const Effect& effect) { return effect.can_cause.has(symptom); });
  };
  EXPECT_TRUE(can("web/ratelimit/window.ts", Symptom::kQuota));
  EXPECT_TRUE(can("web/jwks.ts", Symptom::kAccess));
  EXPECT_FALSE(can("web/window.ts", Symptom::kQuota));
  EXPECT_FALSE(can("ratelimit/web/pages/window.ts", Symptom::kQuota)) << "too far up";
}

TEST(DiffEffects, OneMoreQueryARequest) {
  expect_row("fleet/trips.py",
             "@@ def list_trips(depot):\n     page = {\"trips\": trips_of(depot)}\n+    "
             "page[\"total\"] = run_count_query(depot)\n     return page\n",
             "query_added", Symptom::kPool);
  expect_row("fleet/trips.go",
             "@@ func (s *Store) Trips(ctx context.Context) {\n+\tif err := "
             "s.db.QueryRowContext(ctx, countSQL).Scan(&n); err != nil {\n+\t\treturn err\n+\t}\n",
             "query_added", Symptom::kLatency);
}

TEST(DiffEffects, AQueryThatIsOnlyWrittenOrWasThereIsNone) {
  for (const std::string_view diff :
       {"@@\n+def run_count_query(depot):\n+    return COUNT\n",
        "@@\n+func (s *Store) countQuery(depot int) string {\n",
        "@@\n-    total = run_count_query(depot)\n+    total = run_count_query(depot, day)\n"})
    for (const Effect& effect : effects("fleet/trips.py", diff))
      EXPECT_NE(effect.row, "query_added") << diff;
}

TEST(DiffEffects, AReleaseHasAnotherNumberAndThatIsAll) {
  for (const auto& [file, diff] :
       {std::pair("fleet/app.py",
                  "@@\n-app = App(title=\"trips\", version=\"2.30.4\")\n+app = "
                  "App(title=\"trips\", version=\"2.31.0\")\n"),
        std::pair("deploy/trips.yaml",
                  "@@\n-image: registry.fleet.example/trips:2.30.4\n+image: "
                  "registry.fleet.example/trips:2.31.0\n")})
    for (const Effect& effect : effects(file, diff)) EXPECT_NE(effect.row, "name_changed") << diff;
  expect_row("fleet/dial.go",
             "@@\n-\tconn := dial(\"10.20.0.4:8080\")\n+\tconn := dial(\"10.20.0.9:8080\")\n",
             "name_changed", Symptom::kRefused);
}

TEST(DiffEffects, ACallByTheClockIsNone) {
  for (const Effect& effect :
       effects("fleet/poll.go",
               "@@\n+\tt := time.NewTicker(time.Minute)\n+\tdefer t.Stop()\n+\tfor {\n+\t\titems, "
               "err := src.Fetch(ctx)\n+\t}\n"))
    EXPECT_NE(effect.row, "call_in_loop");
}

TEST(DiffEffects, ACollectionThatOnlyGrows) {
  expect_row(
      "audit/trail.go",
      "@@\n+var seen = map[string]Entry{}\n+\n+func note(e Entry) {\n+\tseen[e.ID] = e\n+}\n",
      "unbounded_growth", Symptom::kMemory);
  expect_row("audit/trail.js", "@@\n+const seen = [];\n+function note(e) {\n+  seen.push(e);\n+}\n",
             "unbounded_growth", Symptom::kOutOfMemory);
}

TEST(DiffEffects, ACollectionWithABoundDoesNot) {
  for (const Effect& effect :
       effects("audit/trail.js",
               "@@\n+const seen = [];\n+function note(e) {\n+  seen.push(e);\n+  if (seen.length > "
               "MAX) seen.shift();\n+}\n"))
    EXPECT_NE(effect.row, "unbounded_growth");
}

TEST(DiffEffects, WhatIsTakenIsGivenBack) {
  expect_row("db/stock.go", "@@\n \trows, err := db.QueryContext(ctx, q)\n-\tdefer rows.Close()\n",
             "not_released", Symptom::kPool);
  expect_harmless("db/stock.go",
                  "@@\n \tresp, err := client.Do(req)\n+\tdefer resp.Body.Close()\n");
}

TEST(DiffEffects, Numbers) {
  expect_row("conf/db.yaml", "@@\n pool:\n-  max_open: 50\n+  max_open: 5\n", "value_changed",
             Symptom::kPool);
  expect_row("conf/http.go",
             "@@\n-\tTimeout: 5 * time.Second,\n+\tTimeout: 50 * time.Millisecond,\n",
             "value_changed", Symptom::kTimeouts);
  expect_row("charts/stock/values.yaml", "@@\n limits:\n-  memory: 1Gi\n+  memory: 128Mi\n",
             "value_changed", Symptom::kOutOfMemory);
  expect_row("charts/stock/values.yaml", "@@\n-replicas: 12\n+replicas: 2\n", "value_changed",
             Symptom::kCpu);
}

TEST(DiffEffects, AFewMoreOfSomethingIsNoMatterOfKind) {
  for (const Effect& effect : effects("conf/db.yaml", "@@\n-  max_open: 50\n+  max_open: 55\n"))
    EXPECT_LT(effect.strength, 0.45);
}

TEST(DiffEffects, RetriesWithoutAPause) {
  expect_row(
      "pay/client.go",
      "@@\n+\tfor attempt := 0; attempt < 10; attempt++ {\n+\t\tresp, err = c.do(req)\n+\t}\n",
      "retry_added", Symptom::kTraffic);
}

TEST(DiffEffects, SchemasAndQueries) {
  expect_row("db/migrations/7.sql", "@@\n+ALTER TABLE parcels DROP COLUMN zone;\n",
             "schema_changed", Symptom::kSchema);
  expect_row("db/migrations/8.sql", "@@\n+DROP INDEX parcels_by_zone;\n", "schema_changed",
             Symptom::kLatency);
  expect_harmless("db/migrations/9.sql",
                  "@@\n+CREATE INDEX CONCURRENTLY parcels_by_day ON parcels (day);\n");
  expect_row("parcels/dao.py",
             "@@\n+    return db.execute(\"SELECT id FROM parcel_tags WHERE parcel = :p\")\n",
             "query_changed", Symptom::kSchema);
}

TEST(DiffEffects, LocksAndOrder) {
  expect_row("stock/move.go",
             "@@\n-\ta.mu.Lock()\n-\tb.mu.Lock()\n+\tb.mu.Lock()\n+\ta.mu.Lock()\n", "reordered",
             Symptom::kLock);
  expect_row("stock/count.go", "@@\n-\tc.mu.Lock()\n-\tdefer c.mu.Unlock()\n \tc.byZone[zone]++\n",
             "lock_removed", Symptom::kCrash);
}

TEST(DiffEffects, LibrariesByHowFarTheyMove) {
  const auto strength = [](std::string_view diff) {
    return effects("go.mod", diff).front().strength;
  };
  const double patch = strength("@@\n-\tgithub.com/x/y v1.2.3\n+\tgithub.com/x/y v1.2.4\n");
  const double minor = strength("@@\n-\tgithub.com/x/y v1.2.3\n+\tgithub.com/x/y v1.3.0\n");
  const double major = strength("@@\n-\tgithub.com/x/y v1.2.3\n+\tgithub.com/x/y v2.0.0\n");
  EXPECT_LT(patch, minor);
  EXPECT_LT(minor, major);
}

TEST(DiffEffects, MoreAtOnce) {
  expect_row("parcels/load.go", "@@\n-\tdec := json.NewDecoder(f)\n+\tall, err := io.ReadAll(f)\n",
             "loads_all", Symptom::kOutOfMemory);
  expect_row("parcels/dao.py", "@@\n-    q = q.options(joinedload(Parcel.tags))\n", "lazy_again",
             Symptom::kFanOut);
  expect_row("parcels/log.yaml", "@@\n-level: info\n+level: debug\n", "logs_more", Symptom::kDisk);
  expect_row("parcels/check.js", "@@\n+const form = /^(\\w+\\s?)*$/;\n", "heavy_work",
             Symptom::kCpu);
}

TEST(DiffEffects, LimitsAndSettingsThatAreGone) {
  expect_row("parcels/client.go", "@@\n-\tclient.SetTimeout(c.Timeout)\n \treturn client\n",
             "bound_removed", Symptom::kPool);
  expect_row("parcels/client.go",
             "@@\n-\treturn c.get(ctx, url)\n+\treturn c.get(context.Background(), url)\n",
             "bound_removed", Symptom::kPool);
  expect_row("conf/app.yaml", "@@\n-database_url: ${DB}\n", "setting_removed", Symptom::kCrash);
  expect_row("parcels/label.py", "@@\n-    zone = row.get(\"zone\")\n+    zone = row[\"zone\"]\n",
             "guard_removed", Symptom::kCrash);
}

TEST(DiffEffects, WhatNoProcessReadsDoesNothing) {
  EXPECT_TRUE(
      effects("web/app.css", "@@\n-.a { padding: 2px; }\n+.a { padding: 20px; }\n").empty());
  EXPECT_TRUE(effects("docs/x.md", "@@\n-timeout: 5s\n+timeout: 1s\n").empty());
  EXPECT_TRUE(effects("pkg/a_test.go", "@@\n-\tif x == nil {\n-\t\treturn\n-\t}\n").empty());
  EXPECT_TRUE(effects("pkg/a.go", "@@\n-// one\n+// two\n").empty());
}

TEST(DiffEffects, ForeignBytesAreOnlyLines) {
  effects("a.go", std::string("@@\n-\xff\xfe\0(((\n+", 12) + std::string(100'000, '('));
  effects("", "@@@@@@\n+++\n---\n+\n-\n");
  EXPECT_TRUE(effects("a.go", "").empty());
}

}  // namespace
}  // namespace precedent
