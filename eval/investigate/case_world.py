"""The invented companies of the cases: a trade with its words, and a small graph of services.

A service is a dict of parameters (rates, times, pools, limits) that case_sim.py runs; a fault
changes some of them over time. Nothing here knows which fault a case gets.
"""

# Names by role: edge, a..f, worker; then the shared library, the thing traded, an outside provider.
TRADES = """
harbor|quay-gateway berth-planner cargo-manifest tide-model crane-slots customs-desk pilot-roster
  |dock-mailer|quaykit|berth|Tidewire
bakery|shop-window dough-orders oven-plan flour-stock loaf-pricing van-routes allergen-book
  |crumb-printer|yeastlib|loaf|PayGrain
opera|box-office seat-map cast-calendar price-tiers fan-profile hall-access program-notes
  |ticket-press|stagekit|ticket|CardAria
orchard|farm-gate harvest-log bin-tracker frost-watch grade-sorter buyer-ledger spray-diary
  |label-runner|pomelib|crate|SkyCast
clinic|front-desk visit-book chart-reader dose-check lab-inbox bill-maker room-board
  |result-courier|carekit|visit|LabLink
rail|rider-api trip-search fare-engine seat-hold track-state crew-shift depot-map
  |delay-herald|railcore|trip|SignalNet
museum|visitor-web tour-slots exhibit-guide loan-desk image-vault donor-book climate-log
  |catalog-sync|curatorlib|exhibit|ArtShip
ski|lift-portal pass-issuer slope-state snow-gauge rental-rack school-board patrol-log
  |gate-pusher|alpkit|permit|PeakPay
brewery|tap-portal keg-orders batch-plan hop-stock tank-sensors excise-book pub-ledger
  |keg-tagger|maltlib|keg|ExciseNet
library|reader-web loan-clerk shelf-search hold-queue member-card fine-book scan-vault
  |notice-sender|folio|loan|BookPost
quarry|site-gateway load-tickets weigh-bridge blast-plan truck-fleet haul-rates pit-survey
  |ticket-batcher|stonekit|load|GeoTile
florist|bloom-web bouquet-builder stem-stock gift-notes route-maker vase-care season-plan
  |card-printer|petalkit|bouquet|FloraPay
ferry|deck-gateway crossing-search cabin-hold car-lanes fare-rules port-state crew-roll
  |manifest-maker|ferrycore|crossing|SeaCard
vineyard|cellar-web cask-registry blend-lab vine-map bottle-line tasting-book duty-sheet
  |label-press|vinolib|cask|DutyGate
theatre|stage-web rehearsal-plan prop-store light-cues cast-pay seat-grid costume-log
  |cue-publisher|proskit|rehearsal|CastPay
aquarium|tank-web feed-plan water-lab ticket-hall species-book diver-shift pump-state
  |feed-dispatcher|reeflib|feeding|AquaLab
archive|record-web scan-desk index-tree rights-check page-store reader-room request-log
  |scan-packer|vellum|record|ScanShip
observatory|sky-portal slot-booker dome-control star-index frame-store grant-book seeing-log
  |frame-reducer|lenslib|exposure|OrbitFeed
laundry|linen-web pickup-plan wash-cycle stain-guide fold-line hotel-ledger steam-state
  |tag-printer|suds|bundle|RouteWash
apiary|hive-portal hive-registry honey-lots mite-watch queen-stock jar-pricing forage-map
  |lot-stamper|waxlib|hive|PollenPay
print|press-web job-ticket plate-maker ink-stock proof-room paper-rates bind-line
  |proof-mailer|typekit|proof|FontCloud
stable|paddock-web ride-book horse-chart feed-store farrier-shift tack-room trail-map
  |invoice-runner|reinlib|ride|VetBridge
""".strip().replace("\n  |", "|").splitlines()

# Which service calls which, by role; the worker takes from a queue that 'a' fills.
SHAPES = [
    {"edge": "ab", "a": "cd", "b": "de", "c": "", "d": "", "e": "", "w": "e"},
    {"edge": "ab", "a": "c", "b": "cd", "c": "e", "d": "", "e": "", "w": "d"},
    {"edge": "ab", "a": "cd", "b": "e", "c": "f", "d": "f", "e": "", "f": "", "w": "e"},
    {"edge": "a", "a": "bc", "b": "d", "c": "de", "d": "", "e": "", "w": "d"},
    {"edge": "abc", "a": "d", "b": "de", "c": "f", "d": "", "e": "f", "f": "", "w": "d"},
    {"edge": "ab", "a": "cd", "b": "d", "c": "e", "d": "f", "e": "", "f": "", "w": "c"},
]
LANGUAGES = ["go", "python", "java", "ts"]
AUTHORS = [
    "m.okafor",
    "l.brandt",
    "s.iyer",
    "r.castellan",
    "j.holm",
    "t.nakata",
    "a.dubois",
    "p.wren",
]


class World:
    """One company. `services` maps a name to parameters, in the order callers come first."""

    def __init__(self, rng, trade):
        self.trade, names, worker, self.lib, self.entity, self.provider = trade.split("|")
        names = names.split()
        shape = rng.choice(SHAPES)
        roles = [r for r in shape if r != "w"]
        self.name = dict(zip(roles, names[:1] + rng.sample(names[1:], len(names) - 1)))
        self.name["w"] = worker
        self.role = {n: r for r, n in self.name.items()}
        self.services = {}
        for role in self._callers_first(shape):
            leaf = not shape[role]
            self.services[self.name[role]] = self._service(
                rng, role, leaf, [self.name[c] for c in shape[role]]
            )
        self.edge, self.worker, self.producer = self.name["edge"], worker, self.name["a"]
        self.traffic = rng.uniform(120, 320)  # requests a second at the edge
        self.slope = rng.uniform(-0.12, 0.18)  # of the daily curve, over the two hours
        self.surge = lambda minute: 1.0

    @staticmethod
    def _callers_first(shape):
        order = []

        def visit(role):
            for callee in shape[role]:
                visit(callee)
            if role not in order:
                order.append(role)

        visit("edge")
        visit("w")
        return order[::-1]

    @staticmethod
    def _service(rng, role, leaf, callees):
        base = rng.uniform(4, 14) if role != "edge" else rng.uniform(2, 5)
        return {
            "language": rng.choice(LANGUAGES),
            "replicas": rng.choice([3, 4, 6]),
            "base_ms": base,
            "own_error": rng.uniform(0.0006, 0.002),
            "cpu_load": rng.uniform(0.25, 0.42),
            "cpu_factor": 1.0,
            "db": leaf or (role not in ("edge", "w") and rng.random() < 0.35),
            "queries": rng.choice([1, 2, 2, 3]),
            "query_ms": rng.uniform(2.5, 6),
            "pool_headroom": rng.uniform(3.2, 4.5),
            "pool_factor": 1.0,
            "leaked": 0.0,
            "query_factor": 1.0,
            "queries_factor": 1.0,
            "db_load": rng.uniform(0.2, 0.35),
            "cache": leaf and rng.random() < 0.6,
            "hit": rng.uniform(0.86, 0.95),
            "memory_mb": rng.uniform(310, 620),
            "limit_mb": 1024.0,
            "leak_mb": 0.0,
            "memory_factor": 1.0,
            "thread_headroom": rng.uniform(3.0, 4.5),
            "threads_factor": 1.0,
            "serial": 0.0,
            "drain_factor": 1.0,
            "disk": rng.uniform(0.35, 0.6),
            "provider": False,
            "provider_ms": 60.0,
            "provider_error": 0.0005,
            "calls": {
                c: {
                    "ratio": rng.uniform(0.5, 1.0),
                    "timeout_ms": rng.choice([1500, 2000, 3000]),
                    "retries": rng.choice([0, 1, 1]),
                    "error": 0.0,
                    "extra_ms": 0.0,
                    "factor": 1.0,
                }
                for c in callees
            },
        }

    def inner_edges(self):
        """Pairs of caller and callee below the edge and the worker."""
        return [
            (s, c)
            for s, p in self.services.items()
            if s not in (self.edge, self.worker)
            for c in p["calls"]
        ]

    def with_db(self):
        return [s for s, p in self.services.items() if p["db"]]

    def middle(self):
        return [s for s in self.services if s not in (self.edge, self.worker)]
