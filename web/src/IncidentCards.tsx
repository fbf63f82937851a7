// The incidents of a receipt, each with its times in order.
import type { Receipt } from "./api";

type Json = Record<string, unknown>;
const text = (value: unknown) => (typeof value === "string" ? value : "");

function Card({ incident }: { incident: Json }) {
  const times = [
    ["opened", text(incident.opened_at)],
    ["updated", text(incident.updated_at)],
    ["resolved", text(incident.resolved_at)],
  ].filter(([, at]) => at);
  const rows = [
    ["Cause", text(incident.root_cause)],
    ["What was done", text(incident.action_taken) || text(incident.mitigation)],
  ].filter(([, value]) => value);
  return (
    <article className="incident">
      <header>
        <strong>{text(incident.incident_id)}</strong>
        {text(incident.severity) && <span className="tag">{text(incident.severity)}</span>}
        {text(incident.status) && <span className="tag">{text(incident.status)}</span>}
      </header>
      <p>{text(incident.title)}</p>
      {rows.map(([name, value]) => (
        <p key={name}>
          <span className="name">{name}: </span>
          {value}
        </p>
      ))}
      {times.length > 0 && (
        <ol className="timeline">
          {times.map(([name, at]) => (
            <li key={name}>
              {name} <time dateTime={at}>{at!.slice(0, 16).replace("T", " ")}</time>
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}

export function IncidentCards({ receipt }: { receipt: Receipt }) {
  const incidents = receipt.result?.incidents;
  if (!Array.isArray(incidents) || incidents.length === 0) return null;
  return (
    <section aria-label="Incidents">
      {(incidents as Json[]).slice(0, 8).map((incident, i) => (
        <Card key={text(incident.incident_id) || i} incident={incident} />
      ))}
    </section>
  );
}
