import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorOfThrown, request } from '../../http/request.ts';
import { useLatest } from '../../widget/latest.ts';
import { Shown } from '../../widget/visible.ts';
import type { FieldProps } from './context.ts';
import { type Described, Line } from './field.ts';

/** Any value as YAML, for what no other field can edit. The server reads and writes the text. */
export function YamlField(props: FieldProps) {
  const { context, path, value } = props;
  const latest = useLatest(props);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isLoaded, setLoaded] = useState(value === undefined);
  /** The value that the text stands for; another one comes from outside. */
  const own = useRef(value);
  const asked = useRef<AbortController | undefined>(undefined);
  useEffect(() => {
    if (isLoaded && own.current === value) return undefined;
    own.current = value;
    if (value === undefined) {
      setText('');
      setLoaded(true);
      return undefined;
    }
    const gone = new AbortController();
    request<{ readonly text: string }>('POST', '/api/config/yaml', { body: { value }, signal: gone.signal }).then(
      (answer) => {
        setText(answer.text);
        setLoaded(true);
      },
      (thrown: unknown) => !gone.signal.aborted && setProblem(errorOfThrown(thrown).message),
    );
    return () => gone.abort();
  }, [value]);
  useEffect(() => () => context.setUnready(path, false), []);
  const read = (next: string) => {
    setText(next);
    asked.current?.abort();
    if (next.trim() === '') {
      own.current = undefined;
      setProblem(undefined);
      context.setUnready(path, false);
      latest.current.onChange(undefined);
      return;
    }
    const gone = (asked.current = new AbortController());
    context.setUnready(path, true);
    request<{ readonly value: unknown }>('POST', '/api/config/yaml', {
      body: { text: next },
      signal: gone.signal,
    }).then(
      (answer) => {
        if (gone.signal.aborted) return;
        own.current = answer.value;
        setProblem(undefined);
        context.setUnready(path, false);
        // What was written elsewhere meanwhile is in the newest one.
        latest.current.onChange(answer.value);
      },
      (thrown: unknown) => {
        if (!gone.signal.aborted) setProblem(errorOfThrown(thrown).message);
      },
    );
  };
  return html`<${Line} ...${props}>
    ${(described: Described) =>
      html`<textarea
          ...${described}
          class="mono"
          rows="4"
          spellcheck="false"
          readonly=${!isLoaded}
          value=${text}
          onInput=${(event: Event) => event.target instanceof HTMLTextAreaElement && read(event.target.value)}
        ></textarea>
        ${problem !== undefined && html`<p class="bad-text" role="alert"><${Shown} text=${problem} /></p>`}`}
  <//>`;
}
