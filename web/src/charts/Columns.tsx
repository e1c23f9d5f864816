import { useRef } from "react";
import { dayShort, number, short } from "../format";
import { useSize } from "../parts/size";
import { ceiling } from "./scale";

export interface Column {
  day: string;
  values: number[];
}

interface Shown {
  columns: Column[];
  names: string[];
  label: string;
  /** A line across, such as a cap. */
  limit?: { value: number; name: string } | undefined;
  height?: number;
}

/** Stacked columns, one a day. The same numbers stand in a table for those who cannot see them. */
export function Columns({ columns, names, label, limit, height = 168 }: Shown) {
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box);
  const sums = columns.map((one) => one.values.reduce((sum, value) => sum + value, 0));
  const top = ceiling(Math.max(0, ...sums, limit?.value ?? 0));
  const left = 48;
  const foot = 24;
  const plot = Math.max(0, width - left);
  const high = height - foot - 8;
  const step = columns.length ? plot / columns.length : 0;
  const y = (value: number) => 8 + high - (value / top) * high;
  const every = Math.max(1, Math.ceil(columns.length / Math.max(2, Math.floor(plot / 88))));
  return (
    <div className="chart">
      <ul className="legend" aria-hidden="true">
        {names.map((one, at) => (
          <li key={one}>
            <span className={`swatch series-${at}`} />
            {one}
          </li>
        ))}
        {limit && (
          <li>
            <span className="swatch line" />
            {limit.name}
          </li>
        )}
      </ul>
      <div ref={box} style={{ height }}>
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true">
            {[0, top / 2, top].map((value) => (
              <g key={value}>
                <line className="grid" x1={left} x2={width} y1={y(value)} y2={y(value)} />
                <text className="tick" x={left - 8} y={y(value) + 4} textAnchor="end">
                  {short(value)}
                </text>
              </g>
            ))}
            {columns.map((one, at) => {
              let from = 0;
              const wide = Math.max(1, Math.min(32, step * 0.7));
              const x = left + at * step + (step - wide) / 2;
              return (
                <g key={one.day}>
                  <title>{`${dayShort(one.day)}: ${names.map((name, i) => `${name} ${number(one.values[i] ?? 0)}`).join(", ")}`}</title>
                  <rect x={left + at * step} y={8} width={step} height={high} fill="transparent" />
                  {one.values.map((value, i) => {
                    const rect = (
                      <rect key={i} className={`series-${i}`} x={x} width={wide} y={y(from + value)} height={y(from) - y(from + value)} rx={Math.min(2, step / 4)} />
                    );
                    from += value;
                    return rect;
                  })}
                  {at % every === 0 && at * step < plot - 36 && (
                    <text className="tick" x={left + at * step} y={height - 6}>
                      {dayShort(one.day)}
                    </text>
                  )}
                </g>
              );
            })}
            {limit && <line className="limit" x1={left} x2={width} y1={y(limit.value)} y2={y(limit.value)} />}
          </svg>
        )}
      </div>
      <div className="visually-hidden">
      <table>
        <caption>{label}</caption>
        <tbody>
          {columns
            .filter((_, at) => sums[at])
            .map((one) => (
              <tr key={one.day}>
                <th scope="row">{dayShort(one.day)}</th>
                {one.values.map((value, i) => (
                  <td key={i}>{`${names[i]}: ${number(value)}`}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
      </div>
    </div>
  );
}
