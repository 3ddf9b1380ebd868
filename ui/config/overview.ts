import { html } from 'htm/preact';
import type { DocumentState } from '../../engine/src/config/config.ts';
import type { ConfigState } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty } from '../widget/notice.ts';
import { concerns } from './config.ts';
import { ProblemList } from './problem-list.ts';

/** All problems of the config; of a file that is gone, only those that name it. */
export function Overview({ config, file }: { readonly config: ConfigState; readonly file: string }) {
  const problems = config.problems.filter((problem) => file === '' || concerns(problem, file));
  return html`<header class="head">
      <div class="title"><h1>${file === '' ? 'Config' : file}</h1></div>
    </header>
    <div class="body pad">
      <h2 class="section">Problems</h2>
      ${problems.length === 0 && html`<${Empty} icon="check" title=${file === '' ? 'No problems.' : 'No problems in this file.'} />`}
      <${ProblemList} problems=${problems} root=${config.root} hasLinks=${true} />
      <p class="muted text-links">
        Choose a file to edit it. <a href=${hrefOf('config', 'map')}>Map</a> shows how the files belong together,${' '}
        <a href=${hrefOf('config', 'try')}>Try with an e-mail</a> which filters and directors get one, and${' '}
        <a href=${hrefOf('accounts')}>Accounts</a> which mailboxes are connected.
      </p>
    </div>`;
}

/** After a rejected edit: names the files whose last good version still runs, and those that do not run. */
export function RejectedEdit({ documents, revision }: { documents: readonly DocumentState[]; revision: string }) {
  const stale = documents.filter((entry) => entry.state === 'stale');
  const invalid = documents.filter((entry) => entry.state === 'invalid');
  if (stale.length + invalid.length === 0) return null;
  const names = (list: readonly DocumentState[]) => list.map((entry) => entry.file).join(', ');
  return html`<div class="notice bad banner" role="alert">
    <${Icon} name="alert" />
    <div>
      ${
        stale.length > 0 &&
        html`<p>
          <b>An edit was rejected.</b> The last good version of <code>${names(stale)}</code> still runs, in
          revision${' '} <code>${revision.slice(0, 12)}</code>.
        </p>`
      }
      ${invalid.length > 0 && html`<p><b>Not running:</b> <code>${names(invalid)}</code>. There is no valid version yet.</p>`}
    </div>
  </div>`;
}
