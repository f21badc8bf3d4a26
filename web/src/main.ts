import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { loadAll } from './lib/pages';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has an element with the id `app`');

export default mount(App, { target });

/** What can wait until the page is shown. */
function prepareForMore(): void {
  loadAll();
  // Without HTTPS there is none, except on the machine itself.
  if (import.meta.env.PROD) navigator.serviceWorker?.register('service-worker.js').catch(console.warn);
}

if (document.readyState === 'complete') prepareForMore();
else addEventListener('load', () => setTimeout(prepareForMore), { once: true });
