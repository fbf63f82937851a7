// What files that were sent would become: their columns, what is wrong with them, and what to do about it.
import { useState } from "react";
import { kindName, type Column, type FileReport, type Report } from "./knowledge";

const kFirst = 12; // problems of a file, before one asks for all

const inWords = (field: string) => field.replaceAll("_", " ");
const isError = (severity: string) => severity === "error";

/** What is wrong beside the fields that no column gives: those are asked for above, once for all records. */
export function problemsBeside(file: FileReport, { required_missing }: Pick<Report, "required_missing">) {
  return file.problems.filter((problem) => !required_missing.some(({ field }) => field === problem.field));
}

function Problems({ file, report }: { file: FileReport; report: Report }) {
  const [all, setAll] = useState(false);
  const problems = problemsBeside(file, report);
  if (problems.length === 0) return null;
  const count = (file.problem_count ?? file.problems.length) - (file.problems.length - problems.length);
  const shown = all ? problems : problems.slice(0, kFirst);
  return (
    <div className="wide" tabIndex={0} role="region" aria-label={`Problems of ${file.name}`}>
      <table className="problems">
        <caption>
          {count} {count === 1 ? "problem" : "problems"}
        </caption>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Field</th>
            <th scope="col">What is wrong</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((problem, i) => (
            <tr key={i} data-severity={problem.severity}>
              <td>{problem.where}</td>
              <td>{problem.field ?? ""}</td>
              <td>
                {problem.message}{" "}
                <span className="tag">{isError(problem.severity) ? "record left out" : "loaded all the same"}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {problems.length > shown.length && (
        <button type="button" className="quiet" onClick={() => setAll(true)}>
          Show all {problems.length}
        </button>
      )}
    </div>
  );
}

/** What somebody chose: column → field; "": kept under its own name. */
export type Choices = Record<string, string>;

/** A field that is given to one column is taken from the others. */
export function fieldOf(column: Column, choices: Choices): string {
  const chosen = choices[column.column];
  if (chosen !== undefined) return chosen;
  return column.field && !Object.values(choices).includes(column.field) ? column.field : "";
}

/** As the server wants it: field → column. */
export const mapOf = (choices: Choices): Record<string, string> =>
  Object.fromEntries(Object.entries(choices).flatMap(([column, field]) => (field ? [[field, column]] : [])));

/** With one more choice; no field is given twice. */
export function withChoice(choices: Choices, column: string, field: string): Choices {
  const others = Object.entries(choices).filter(([name, of]) => name !== column && (of !== field || of === ""));
  return { ...Object.fromEntries(others), [column]: field };
}

interface ColumnsProps {
  file: FileReport;
  fields: string[];
  choices: Choices;
  choose: (column: string, field: string) => void;
}

/** Which field each column is. */
function Columns({ file, fields, choices, choose }: ColumnsProps) {
  if (file.columns.length === 0) return null;
  return (
    <div className="wide" tabIndex={0} role="region" aria-label={`Columns of ${file.name}`}>
      <table className="columns-of">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Is taken as</th>
            <th scope="col">Why</th>
            <th scope="col">For example</th>
          </tr>
        </thead>
        <tbody>
          {file.columns.map((column) => (
            <tr key={column.column}>
              <th scope="row">{column.column}</th>
              <td>
                <select
                  aria-label={`${column.column} is taken as`}
                  value={fieldOf(column, choices)}
                  onChange={(event) => choose(column.column, event.target.value)}
                >
                  <option value="">kept under its own name</option>
                  {fields.map((field) => (
                    <option key={field} value={field}>
                      {inWords(field)}
                    </option>
                  ))}
                </select>
              </td>
              <td className="faint">{fieldOf(column, choices) === (column.field ?? "") ? column.how : "as you choose"}</td>
              <td className="example">{column.example}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Props {
  report: Report;
  busy: boolean;
  map: (fields: Record<string, string>) => void;
  ingest: () => void;
  back: () => void;
}

export function UploadReport({ report, busy, map, ingest, back }: Props) {
  const [choices, setChoices] = useState<Choices>({});
  const [checked, setChecked] = useState(choices); // what the report knows of
  const isChanged = JSON.stringify(mapOf(choices)) !== JSON.stringify(mapOf(checked));
  const choose = (column: string, field: string) => setChoices(withChoice(choices, column, field));
  const documents = report.files.reduce((sum, file) => sum + file.documents, 0);
  const errors = report.files.some((file) => file.problems.some((problem) => isError(problem.severity)));
  return (
    <section className="report" aria-label="What the files would become">
      {!report.ready && (
        <div className="failure" role="alert">
          <strong>These files cannot be ingested yet.</strong>{" "}
          {report.required_missing.length > 0
            ? "A field that every record needs is missing. Choose its column below and check again, or name it in the file."
            : "Fix what is listed below in the files, then choose them again."}
        </div>
      )}
      {report.warnings.map((warning) => (
        <p key={warning} className="note">
          {warning.charAt(0).toUpperCase() + warning.slice(1)}.
        </p>
      ))}
      {report.required_missing.map(({ field, columns }) => (
        <label key={field} className="missing-field">
          <span>
            Every record needs <b>{inWords(field)}</b>. Which column has it?
          </span>
          <select
            value={mapOf(choices)[field] ?? ""}
            onChange={(event) => event.target.value && choose(event.target.value, field)}
            aria-label={`Column for ${inWords(field)}`}
          >
            <option value="">Choose a column</option>
            {[...new Set([...columns, ...report.files.flatMap((file) => file.columns.map((one) => one.column))])].map(
              (column) => (
                <option key={column} value={column}>
                  {column}
                </option>
              ),
            )}
          </select>
        </label>
      ))}
      {report.files.map((file) => (
        <article key={file.name} className="file">
          <header>
            <h2>{file.name}</h2>
            <p className="faint">
              {[
                file.format,
                file.records > 0 && `${file.records.toLocaleString("en")} ${file.records === 1 ? "record" : "records"}`,
                `${file.documents.toLocaleString("en")} ${file.documents === 1 ? "document" : "documents"}`,
                file.kind && `taken as ${kindName(file.kind)}${file.how_kind ? ` (${file.how_kind})` : ""}`,
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
          </header>
          <Problems file={file} report={report} />
          <Columns file={file} fields={report.fields} choices={choices} choose={choose} />
        </article>
      ))}
      <div className="row decide">
        {isChanged ? (
          <button
            type="button"
            className="primary"
            disabled={busy}
            onClick={() => {
              setChecked(choices);
              map(mapOf(choices));
            }}
          >
            Check again
          </button>
        ) : (
          <button type="button" className="primary" disabled={busy || !report.ready} onClick={ingest}>
            {!report.ready
              ? "Ingest"
              : documents === 1
                ? "Ingest 1 document"
                : `Ingest ${documents.toLocaleString("en")} documents`}
          </button>
        )}
        <button type="button" className="secondary" disabled={busy} onClick={back}>
          Choose other files
        </button>
        {report.ready && errors && !isChanged && <span className="faint">Records with an error are left out.</span>}
      </div>
    </section>
  );
}
