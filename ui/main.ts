import { html, render } from 'htm/preact';
import { App } from './app.ts';
import { adoptKey } from './http/page-key.ts';
import { startRoute } from './shell/route.ts';
import { SCREENS } from './shell/screens.ts';
import { restoreTheme } from './shell/theme.ts';

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no element with id "app"');
restoreTheme();
await adoptKey();
startRoute(SCREENS.map((screen) => screen.route));
render(html`<${App} />`, root);
