// A metric's course: change points and deploys as lines, alerts as bands above, a row for each.
import { useContext, useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Receipt } from "./api";
import { courseOf, type Course } from "./course";
import { ThemeContext } from "./theme";

const kHeight = 200;
const kBand = 4; // of an alert, in its row
const kRow = kBand + 2;

function shown(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined) return "–";
  if (unit === "ratio") return `${(value * 100).toPrecision(3)} %`;
  const figure = Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : Number(value.toPrecision(3)).toString();
  return unit === "seconds" ? `${figure} s` : figure;
}

/** "14:00", and the day where one begins. */
function clock(time: number): string {
  const iso = new Date(time * 1000).toISOString();
  return iso.slice(11, 16) === "00:00" ? iso.slice(5, 10) : iso.slice(11, 16);
}

function drawMoments(plot: uPlot, course: Course, colour: (name: string) => string) {
  const { ctx, bbox } = plot;
  const line = (at: number, name: string, dashes: number[]) => {
    const x = plot.valToPos(at, "x", true);
    ctx.strokeStyle = colour(name);
    ctx.setLineDash(dashes);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  };
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  for (const change of course.changes) line(change.at, "--warn", [4, 3]);
  for (const deploy of course.deploys) line(deploy.at, "--faint", []);
  ctx.fillStyle = colour("--bad");
  const names = [...new Set(course.alerts.map((alert) => alert.label))];
  for (const alert of course.alerts) {
    const x = plot.valToPos(alert.from, "x", true);
    const row = (names.indexOf(alert.label) + 1) * kRow * devicePixelRatio;
    ctx.fillRect(x, bbox.top - row, plot.valToPos(alert.to, "x", true) - x, kBand * devicePixelRatio);
  }
  ctx.restore();
}

export default function Chart({ receipt, others }: { receipt: Receipt; others: Receipt[] }) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useContext(ThemeContext);
  const course = courseOf(receipt, others);
  const alerts = [...new Set(course.alerts.map((alert) => alert.label))];
  useEffect(() => {
    const own = box.current!;
    const style = getComputedStyle(own);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const axis = { stroke: colour("--faint"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
    const plot = new uPlot(
      {
        width: own.clientWidth,
        height: kHeight,
        padding: [alerts.length * kRow + 4, null, 0, null],
        tzDate: (time) => uPlot.tzDate(new Date(time * 1000), "Etc/UTC"),
        legend: { live: true },
        series: [
          {
            label: "UTC",
            value: (_, at) => (at === null ? "–" : new Date(at * 1000).toISOString().slice(5, 16).replace("T", " ")),
          },
          { label: course.name, stroke: colour("--accent"), width: 1.5, value: (_, value) => shown(value, course.unit) },
        ],
        axes: [
          { ...axis, size: 30, values: (_, values) => values.map(clock) },
          { ...axis, size: 64, values: (_, values) => values.map((value) => shown(value, course.unit)) },
        ],
        hooks: { draw: [(own_) => drawMoments(own_, course, colour)] },
      },
      [course.times, course.values],
      own,
    );
    const watch = new ResizeObserver(() => plot.setSize({ width: own.clientWidth, height: kHeight }));
    watch.observe(own);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
    // A receipt never changes.
  }, [receipt, theme]);
  return (
    <figure className="chart">
      <div ref={box} role="img" aria-label={`The course of ${course.name}: ${receipt.note ?? ""}`} />
      <figcaption>
        {course.changes.length > 0 && (
          <span>
            <i className="dashed" /> its level changed
          </span>
        )}
        {course.deploys.length > 0 && (
          <span>
            <i className="solid" /> {course.deploys.map((deploy) => deploy.label).join(", ")}
          </span>
        )}
        {alerts.length > 0 && (
          <span>
            <i className="band" /> alerts: {alerts.join(", ")}
          </span>
        )}
      </figcaption>
    </figure>
  );
}
