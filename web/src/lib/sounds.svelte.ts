/** The page's sounds. */

import { settings } from './settings.svelte';
import { Sounds } from './sounds';

export const sounds = new Sounds(() => settings.sounds);
