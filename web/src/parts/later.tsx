import { useEffect, useRef, useState, type ComponentType } from "react";

const loads: (() => Promise<void>)[] = [];

/** Load every part that is otherwise fetched when it is first shown, so that it opens at once and without a connection. */
export const loadParts = (): Promise<unknown> => Promise.all(loads.map((load) => load()));

/** A part of the page that is fetched when it is first shown. If it cannot be, `failed` says so and the page goes on. */
export function later<P extends object>(fetch: () => Promise<ComponentType<P>>, failed: (props: P) => void = () => undefined): ComponentType<P> {
  let fetched: ComponentType<P> | undefined;
  const load = async () => {
    fetched = await fetch();
  };
  loads.push(load);
  return function Later(props: P) {
    const [Part, setPart] = useState(() => fetched);
    const latest = useRef(props);
    useEffect(() => {
      latest.current = props;
    });
    useEffect(() => {
      if (Part) return;
      let gone = false;
      load().then(
        () => gone || setPart(() => fetched),
        () => gone || failed(latest.current),
      );
      return () => {
        gone = true;
      };
    }, [Part]);
    return Part ? <Part {...props} /> : null;
  };
}
