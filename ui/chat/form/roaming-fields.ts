import { html } from 'htm/preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { ErrorBody } from '../../../engine/src/base/error.ts';
import type { RoamingWarning } from '../../http/api-types.ts';
import { errorOfThrown, request } from '../../http/request.ts';
import { useFocus } from '../../widget/focus.ts';
import { Icon } from '../../widget/icon.ts';
import { Shown } from '../../widget/visible.ts';
import { TextField } from './field.ts';
import { FolderPicker } from './folder-picker.ts';
import type { ParticipantDraft } from './participant-draft.ts';
import { nearKeyed } from '../../shell/keys.ts';

interface Props {
  readonly draft: ParticipantDraft;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<ParticipantDraft>) => void;
}

const MODES = [
  ['safe', 'Safe', 'The tool works in its own read-only or sandbox mode.'],
  ['yolo', 'Yolo', 'The tool runs any command, and asks nobody.'],
] as const;

/** Time without a key before the server is asked for the warning. */
const PAUSE_MS = 300;

/** Lets a command-line agent work in a folder. Another folder or mode has to be confirmed again. */
export function RoamingFields({ draft, errors, onChange }: Props) {
  const id = useId();
  const [isPicking, setIsPicking] = useState(false);
  const { roams, workspaceDir, mode } = draft;
  const { warning, error } = useWarning(draft);
  const isOfMode = error?.where?.path === '/roaming/mode';
  const modeError = errors['mode'] ?? (isOfMode ? error?.message : undefined);
  const move = (next: string) => onChange({ workspaceDir: next, isUnderstood: false });
  return html`<fieldset class="roaming">
    <legend class="sr">Roaming</legend>
    <label class="check"
      ><input
        type="checkbox"
        role="switch"
        checked=${roams}
        onChange=${(e: Event) => e.target instanceof HTMLInputElement && onChange({ roams: e.target.checked, isUnderstood: false })}
      /><span><b>Roaming</b>: may read files and run commands in a folder</span></label
    >
    ${
      roams &&
      html`<${TextField}
          label="Folder"
          hint="A workspace of the settings, or a folder in one. Each turn works on a copy; you apply or drop what it changed."
          value=${workspaceDir}
          placeholder="/home/you/project"
          error=${errors['workspaceDir'] ?? errors['roaming'] ?? (isOfMode ? undefined : error?.message)}
          onInput=${move}
        />
        <div>
          <button
            ...${nearKeyed('B', 'Browse')}
            type="button"
            aria-expanded=${isPicking ? 'true' : 'false'}
            onClick=${() => setIsPicking(!isPicking)}
          >
            <${Icon} name="folder" />Browse
          </button>
        </div>
        ${isPicking && html`<${FolderPicker} onChoose=${move} />`}
        <div class="form-field" role="radiogroup" aria-label="Mode">
          ${MODES.map(
            ([value, label, what]) =>
              html`<label key=${value} class="check"
                ><input
                  type="radio"
                  name=${`${id}-mode`}
                  aria-invalid=${modeError !== undefined && mode === value ? 'true' : undefined}
                  aria-describedby=${modeError !== undefined && mode === value ? `${id}-mode-error` : undefined}
                  checked=${mode === value}
                  onChange=${() => onChange({ mode: value, isUnderstood: false })}
                /><span><b>${label}</b> <span class="muted">${what}</span></span></label
              >`,
          )}
          ${modeError !== undefined && html`<p id=${`${id}-mode-error`} class="bad-text" role="alert"><${Shown} text=${modeError} /></p>`}
        </div>
        ${warning !== undefined && html`<${Consent} id=${id} warning=${warning} draft=${draft} error=${errors['confirmed']} onChange=${onChange} />`}`
    }
  </fieldset>`;
}

interface ConsentProps extends Pick<Props, 'draft' | 'onChange'> {
  readonly id: string;
  readonly warning: RoamingWarning;
  readonly error: string | undefined;
}

/** The warning in the words of the server, which knows what confines the tool here, and the box below it. */
function Consent({ id, warning, draft, error, onChange }: ConsentProps) {
  // Where the form was sent before the server had answered, the box appears as a field that is not accepted.
  const box = useFocus<HTMLInputElement>(error !== undefined && !(document.activeElement instanceof HTMLInputElement));
  return html`<div class="notice warn">
    <${Icon} name="alert" />
    <div>
      <p><${Shown} text=${warning.text} /></p>
      <label class="check"
        ><input
          ref=${box}
          type="checkbox"
          checked=${draft.isUnderstood}
          aria-invalid=${error === undefined ? undefined : 'true'}
          aria-describedby=${error === undefined ? undefined : `${id}-confirmed`}
          onChange=${(e: Event) => e.target instanceof HTMLInputElement && onChange({ isUnderstood: e.target.checked })} /><span
          ><${Shown} text=${warning.consent} /></span
      ></label>
      ${error !== undefined && html`<p id=${`${id}-confirmed`} class="bad-text" role="alert"><${Shown} text=${error} /></p>`}
    </div>
  </div>`;
}

/** The warning for the folder and mode that the form shows; undefined until the server has answered for these. */
function useWarning({ roams, displayName, sourceId, workspaceDir, mode }: ParticipantDraft) {
  const [found, setFound] = useState<{
    readonly query: string;
    readonly warning?: RoamingWarning;
    readonly error?: ErrorBody;
  }>({ query: '' });
  const folder = workspaceDir.trim();
  const query =
    roams && folder !== ''
      ? new URLSearchParams({
          apiConfigId: sourceId,
          workspaceDir: folder,
          mode,
          ...(displayName.trim() !== '' && { name: displayName.trim() }),
        }).toString()
      : '';
  useEffect(() => {
    if (query === '') return;
    const gone = new AbortController();
    const ask = () =>
      void request<RoamingWarning>('GET', `/api/roaming-warning?${query}`, { signal: gone.signal }).then(
        (warning) => setFound({ query, warning }),
        (thrown: unknown) => {
          if (!gone.signal.aborted) setFound({ query, error: errorOfThrown(thrown) });
        },
      );
    const timer = setTimeout(ask, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [query]);
  return found.query === query && query !== '' ? found : { warning: undefined, error: undefined };
}
