// What is known: a list with filters and search.
import { useEffect, useRef, useState } from "react";
import { Icon } from "./Icon";
import "./knowledge.css";
import { documents, facetNames, kindName, range, type Facet, type Found, type Listed } from "./knowledge";
import { isAbort, said } from "./net";
import { addressOf } from "./place";

const titles: Record<Facet, string> = { kind: "Kind", service: "Service", severity: "Severity", status: "Status" };
const kAtOnce = 40;
const kShort = 8; // values of a filter before one asks for all

type Filters = Record<string, string>;
const go = (filters: Filters) => (location.hash = addressOf({ view: "documents", filters }));

function FacetList({ facet, found, filters }: { facet: Facet; found: Found; filters: Filters }) {
  const [all, setAll] = useState(false);
  const values = found.facets[facet] ?? [];
  const chosen = filters[facet];
  if (values.length === 0 && !chosen) return null;
  const known = chosen && !values.some((one) => one.value === chosen) ? [{ value: chosen, documents: 0 }, ...values] : values;
  const shown = all ? known : known.filter((one, i) => i < kShort || one.value === chosen);
  return (
    <fieldset>
      <legend>{titles[facet]}</legend>
      {shown.map(({ value, documents: count }) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={chosen === value}
            onChange={(event) => go({ ...filters, [facet]: event.target.checked ? value : "" })}
          />
          <span>{facet === "kind" ? kindName(value) : value}</span>
          <span className="count">{count}</span>
        </label>
      ))}
      {known.length > kShort && !all && (
        <button type="button" className="quiet" onClick={() => setAll(true)}>
          {known.length - shown.length} more
        </button>
      )}
    </fieldset>
  );
}

function Entry({ document }: { document: Listed }) {
  const lines = range(document.lines);
  const address = addressOf({ view: "document", id: document.id, ...(lines && { lines }) });
  const facts = [document.opened_at?.slice(0, 10), document.services.slice(0, 3).join(", ") || document.application].filter(
    Boolean,
  );
  return (
    <li className="entry">
      <div className="row">
        <span className="tag">{kindName(document.kind)}</span>
        {document.severity && <span className="tag">{document.severity}</span>}
        {document.status && <span className="tag">{document.status}</span>}
        <span className="faint facts">{facts.join(" · ")}</span>
      </div>
      <a href={address}>{document.title || document.id}</a>
      {document.snippet && <p className="snippet">{document.snippet}</p>}
      <p className="faint path">
        {document.path}
        {lines && `:${lines.begin}`}
      </p>
    </li>
  );
}

export default function Documents({ filters, mayEdit }: { filters: Filters; mayEdit: boolean }) {
  const [found, setFound] = useState<Found | null>(null);
  const [problem, setProblem] = useState("");
  const [words, setWords] = useState(filters.search ?? "");
  const [more, setMore] = useState(false);
  const asked = JSON.stringify(filters);

  useEffect(() => {
    const own = new AbortController();
    documents({ ...(JSON.parse(asked) as Filters), limit: kAtOnce }, own.signal)
      .then((page) => {
        setFound(page);
        setProblem("");
      })
      .catch((error: unknown) => !isAbort(error) && setProblem(said(error)));
    return () => own.abort();
  }, [asked]);
  // The address may say another search than the last one that was typed: by a link, or by going back.
  const written = useRef(filters.search ?? "");
  const search = filters.search ?? "";
  useEffect(() => {
    if (search === written.current) return;
    written.current = search;
    setWords(search);
  }, [search]);
  // What is typed is searched when typing pauses.
  useEffect(() => {
    const now = JSON.parse(asked) as Filters;
    if (words.trim() === (now.search ?? "") || (now.search ?? "") !== written.current) return;
    const wait = setTimeout(() => {
      written.current = words.trim();
      history.replaceState(null, "", addressOf({ view: "documents", filters: { ...now, search: words.trim() } }));
      dispatchEvent(new HashChangeEvent("hashchange"));
    }, 250);
    return () => clearTimeout(wait);
  }, [words, asked]);

  const next = found?.next_offset;
  // Files of code are listed by their own filter only.
  const code = filters.kind || filters.search ? 0 : (found?.facets.kind?.find((one) => one.value === "code")?.documents ?? 0);
  const active = facetNames.filter((facet) => filters[facet]);
  return (
    <main className="documents">
      <header className="head">
        <h1>Knowledge</h1>
        <input
          type="search"
          aria-label="Search the documents"
          placeholder="Search incidents, runbooks, code…"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <label className="order">
          <span className="unseen">Order</span>
          <select
            value={filters.order ?? "newest"}
            disabled={Boolean(filters.search)}
            onChange={(event) => go({ ...filters, order: event.target.value })}
          >
            <option value="newest">Newest first</option>
            <option value="title">By title</option>
          </select>
        </label>
        {mayEdit && (
          <>
            <a className="secondary" href={addressOf({ view: "versions" })}>
              Versions
            </a>
            <a className="primary" href={addressOf({ view: "upload" })}>
              <Icon name="upload" /> Upload
            </a>
          </>
        )}
      </header>
      {problem && (
        <p className="failure" role="alert">
          {problem}
        </p>
      )}
      <div className="columns">
        {found && (
          <details className="filters" open={innerWidth > 900}>
            <summary>Filters{active.length > 0 && ` (${active.length})`}</summary>
            <form aria-label="Filters">
              {facetNames.map((facet) => (
                <FacetList key={facet} facet={facet} found={found} filters={filters} />
              ))}
            </form>
          </details>
        )}
        <section className="results" aria-label="Documents" aria-busy={found === null}>
          {found && (
            <div className="row">
              <p className="faint" role="status">
                {found.total === 1 ? "1 document" : `${found.total.toLocaleString("en")} documents`}
                {code > 0 && ` and ${code.toLocaleString("en")} ${code === 1 ? "file" : "files"} of code`}
              </p>
              {active.length > 0 && (
                <button type="button" className="quiet" onClick={() => go({ search: filters.search ?? "" })}>
                  Clear filters
                </button>
              )}
            </div>
          )}
          {found?.total === 0 && (
            <p className="note">
              {active.length > 0 || filters.search
                ? "No document matches. Try fewer filters or other words."
                : "There is no document yet. Upload some, or use precedent ingest."}
            </p>
          )}
          <ul>
            {found?.documents.map((document) => (
              <Entry key={document.id} document={document} />
            ))}
          </ul>
          {typeof next === "number" && (
            <button
              type="button"
              className="secondary"
              disabled={more}
              onClick={() => {
                setMore(true);
                documents({ ...filters, limit: kAtOnce, offset: next })
                  .then((page) => setFound({ ...page, documents: [...found!.documents, ...page.documents] }))
                  .catch((error: unknown) => setProblem(said(error)))
                  .finally(() => setMore(false));
              }}
            >
              Show more
            </button>
          )}
        </section>
      </div>
    </main>
  );
}
