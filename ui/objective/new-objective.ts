import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { SelectField, TextField } from '../chat/form/field.ts';
import { errorOfThrown } from '../http/request.ts';
import { keyed, MAIN_KEY, useKeys } from '../shell/keys.ts';
import { amend, go, hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { objectiveDirectors, startObjective, wish } from './objectives.ts';

/** The form of a new objective: who pursues it, and what the user wants. */
export function NewObjective() {
  const [chosen, setChosen] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<ErrorBody | undefined>(undefined);
  useEffect(() => objectiveDirectors.reload('directors'), []);
  useKeys({ u: () => go('objectives') });
  const { data = [], error } = objectiveDirectors.state.value;
  const isKnown = objectiveDirectors.state.value.data !== undefined;
  const directorId = chosen || (data[0]?.id ?? '');
  const isReady = directorId !== '' && wish.value.trim() !== '' && !isBusy;
  const start = async () => {
    if (!isReady) return;
    setIsBusy(true);
    try {
      const id = await startObjective(directorId, wish.value.trim());
      wish.value = '';
      amend('objectives', [id]);
    } catch (thrown) {
      setFailure(errorOfThrown(thrown));
      setIsBusy(false);
    }
  };
  return html`<div class="page">
    <p class="crumb">
      <a href=${hrefOf('objectives')}><${Icon} name="back" />All objectives</a>
    </p>
    <h1>New objective</h1>
    ${[failure, error].map((one) => one !== undefined && html`<${ErrorNotice} key=${one.code} error=${one} />`)}
    ${
      isKnown && data.length === 0
        ? html`<p>
            No director has <code>mode: objective</code>. Add one in <code>config/directors</code>; it can be tried at
            once.
          </p>`
        : html`<form
            class="chat-form wish-form"
            onSubmit=${(event: Event) => {
              event.preventDefault();
              void start();
            }}
          >
            <${SelectField}
              label="Director"
              hint=${data.find(({ id }) => id === directorId)?.description}
              value=${directorId}
              options=${data.map(({ id, name }) => [id, name] as const)}
              onChoose=${setChosen}
            />
            <${TextField}
              label="What do you want?"
              hint="In your own words: who is to be written to, what is to come out, by when."
              rows=${5}
              value=${wish.value}
              onInput=${(text: string) => (wish.value = text)}
            />
            <div class="row end">
              <button ...${keyed(MAIN_KEY, 'Start')} class="primary" disabled=${!isReady}>Start objective</button>
            </div>
          </form>`
    }
  </div>`;
}
