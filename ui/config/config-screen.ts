import { html } from 'htm/preact';
import { useKeys } from '../shell/keys.ts';
import { go, hrefOf, route } from '../shell/route.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Split } from '../widget/split.ts';
import { config } from './config.ts';
import { DocumentList } from './document-list.ts';
import { DocumentPane } from './document-pane.ts';
import { MapScreen } from './map/map-screen.ts';
import { NewDocument } from './new-document.ts';
import { Overview, RejectedEdit } from './overview.ts';
import { TryScreen } from './try/try-screen.ts';

/** The pages beside the files, with the key that opens them. */
const PAGES = [
  ['', 'Problems', 'o'],
  ['map', 'Map', 'v'],
  ['try', 'Try with an e-mail', 'y'],
] as const;

/** The config that runs: its files with their forms, problems, a map, and a trial of mails. */
export function ConfigScreen() {
  // `#/config/<file>/<tab>`, `#/config/map`, `#/config/try/<mail>` or `#/config/new/<kind>`.
  const [first = '', second = ''] = route.value.ids;
  const open = (place: string) => go('config', place === '' ? [] : [place]);
  useKeys({
    r: config.refresh,
    u: () => open(''),
    ...Object.fromEntries(PAGES.map(([place, , key]) => [key, () => open(place)])),
  });
  const { data, error } = config.state.value;
  if (data === undefined)
    return html`<div class="page">${error !== undefined && html`<${ErrorNotice} error=${error} />`}</div>`;
  const document = data.documents.find(({ file }) => file === first);
  const left = html`<div class="list-head revision">
      <span>Revision</span><code title=${data.revision}>${data.revision.slice(0, 12)}</code>
    </div>
    <div class="config-pages" role="group" aria-label="Pages of Config">
      ${PAGES.map(
        ([place, title, key]) =>
          html`<a
            key=${place}
            href=${place === '' ? hrefOf('config') : hrefOf('config', place)}
            title=${`${title} (${key})`}
            aria-current=${first === place ? 'true' : undefined}
            >${title}</a
          >`,
      )}
    </div>
    <div class="scroll">
      <${DocumentList} documents=${data.documents} problems=${data.problems} chosen=${first} />
    </div>`;
  const right = html`<${RejectedEdit} documents=${data.documents} revision=${data.revision} />
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${
      document !== undefined
        ? html`<${DocumentPane} key=${document.file} document=${document} config=${data} tab=${second} />`
        : first === 'map'
          ? html`<${MapScreen} config=${data} />`
          : first === 'try'
            ? html`<${TryScreen} emailId=${second} />`
            : first === 'new'
              ? html`<${NewDocument} key=${second} kind=${second} />`
              : html`<${Overview} config=${data} file=${first} />`
    }`;
  return html`<${Split} label="Config files" detail=${true} left=${left} right=${right} />`;
}
