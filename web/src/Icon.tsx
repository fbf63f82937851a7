// The few icons there are, drawn on a grid of 16 by 16.
const paths = {
  up: "M5 7v6.5H2.5V7H5zm0 0 3-5c1 0 1.6.8 1.4 1.8L9 6h3.6c.9 0 1.5.8 1.3 1.7l-1 4.5c-.2.8-.8 1.3-1.6 1.3H5",
  down: "M11 9V2.5h2.5V9H11zm0 0-3 5c-1 0-1.6-.8-1.4-1.8L7 10H3.4c-.9 0-1.5-.8-1.3-1.7l1-4.5c.2-.8.8-1.3 1.6-1.3H11",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  again: "M13 8a5 5 0 1 1-1.5-3.5M12.5 1.5v3.5H9",
  steps: "M3 3.5h.01M3 8h.01M3 12.5h.01M6 3.5h7.5M6 8h7.5M6 12.5h7.5",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  upload: "M8 10.5V2.5M4.5 5.5 8 2l3.5 3.5M2.5 10.5v3h11v-3",
  back: "M9.5 3.5 5 8l4.5 4.5",
  leave: "M6 2.5H2.5v11H6M6.5 8h7M10.5 5l3 3-3 3",
  menu: "M2.5 4h11M2.5 8h11M2.5 12h11",
} as const;

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
