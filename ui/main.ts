import { html, render } from 'htm/preact';
import { App } from './app.ts';
import { startRoute } from './shell/route.ts';
import { SCREENS } from './shell/screens.ts';
import { restoreTheme } from './shell/theme.ts';

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no element with id "app"');
restoreTheme();
startRoute(SCREENS.map((screen) => screen.route));
render(html`<${App} />`, root);
