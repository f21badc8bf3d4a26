/**
 * Short sounds, made rather than recorded: a tap of wood, a card, a few tones. None before the person has touched
 * the page, and none while they are switched off.
 */

export type Sound = 'place' | 'capture' | 'deal' | 'turn' | 'win' | 'lose' | 'draw';

/** A tone: its pitch in hertz, when it begins, and how long it takes to fade, in seconds. */
interface Tone {
  hertz: number;
  at: number;
  fades: number;
  shape: OscillatorType;
  loud: number;
}

const tone = (hertz: number, at: number, fades: number, loud = 0.5, shape: OscillatorType = 'triangle'): Tone => ({
  hertz,
  at,
  fades,
  shape,
  loud,
});

const TONES: Record<Sound, Tone[]> = {
  place: [tone(190, 0, 0.07, 0.9), tone(410, 0, 0.03, 0.4)],
  capture: [tone(150, 0, 0.09, 0.9), tone(260, 0.05, 0.08, 0.7)],
  deal: [],
  turn: [tone(587, 0, 0.22, 0.3, 'sine'), tone(784, 0.09, 0.3, 0.3, 'sine')],
  win: [523, 659, 784, 1047].map((hertz, i) => tone(hertz, i * 0.11, 0.4, 0.4)),
  lose: [392, 330, 262].map((hertz, i) => tone(hertz, i * 0.15, 0.45, 0.4)),
  draw: [440, 440].map((hertz, i) => tone(hertz, i * 0.16, 0.3, 0.35)),
};
/** Sounds of rustling: when each begins and how long it lasts, in seconds. */
const RUSTLES: Partial<Record<Sound, { at: number; lasts: number }[]>> = {
  place: [{ at: 0, lasts: 0.02 }],
  deal: [0, 0.08].map((at) => ({ at, lasts: 0.06 })),
};
const VOLUME = 0.16;
/** Sounds nearer together than this are one. */
const APART_MS = 60;

export class Sounds {
  #context: AudioContext | undefined;
  #last = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly on: () => boolean,
    private readonly create: () => AudioContext = () => new AudioContext(),
  ) {}

  /** Sound is possible from the person's first touch on. Returns what undoes it. */
  listen(target: EventTarget = window): () => void {
    const gestures = ['pointerdown', 'keydown'];
    const awake = () => {
      stop();
      try {
        this.#context = this.create();
      } catch {
        // A browser without sound.
      }
    };
    const stop = () => {
      for (const gesture of gestures) target.removeEventListener(gesture, awake, { capture: true });
    };
    for (const gesture of gestures) target.addEventListener(gesture, awake, { capture: true });
    return stop;
  }

  play(sound: Sound, now = performance.now()): void {
    const context = this.#context;
    if (!context || !this.on() || now - this.#last < APART_MS) return;
    this.#last = now;
    if (context.state === 'suspended') void context.resume();
    const volume = context.createGain();
    volume.gain.value = VOLUME;
    volume.connect(context.destination);
    for (const one of TONES[sound]) ring(context, volume, one);
    for (const { at, lasts } of RUSTLES[sound] ?? []) rustle(context, volume, at, lasts);
  }
}

function ring(context: AudioContext, volume: GainNode, { hertz, at, fades, shape, loud }: Tone): void {
  const begin = context.currentTime + at;
  const source = context.createOscillator();
  source.type = shape;
  source.frequency.value = hertz;
  source.connect(fading(context, volume, begin, fades, loud));
  source.start(begin);
  source.stop(begin + fades);
}

function rustle(context: AudioContext, volume: GainNode, at: number, lasts: number): void {
  const begin = context.currentTime + at;
  const noise = context.createBuffer(1, Math.ceil(context.sampleRate * lasts), context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  source.buffer = noise;
  const pass = context.createBiquadFilter();
  pass.type = 'bandpass';
  pass.frequency.value = 2_600;
  source.connect(pass).connect(fading(context, volume, begin, lasts, 0.6));
  source.start(begin);
}

/** Loud at once, then fading. */
function fading(context: AudioContext, volume: GainNode, begin: number, fades: number, loud: number): GainNode {
  const gain = context.createGain();
  gain.gain.setValueAtTime(loud, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + fades);
  gain.connect(volume);
  return gain;
}
