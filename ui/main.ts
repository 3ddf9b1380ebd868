import { html, render } from 'htm/preact';
import { App } from './app.ts';
import { startRoute } from './shell/route.ts';
import { restoreTheme } from './shell/theme.ts';

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no element with id "app"');
restoreTheme();
startRoute();
render(html`<${App} />`, root);
