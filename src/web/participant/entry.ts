/** The app of participants. */
import type { FrontEnd } from '#web/kit/frontEnd'

/** Its first page, and those within it, which its script shows; not the pages of links. */
const PATH = /^\/app(\/(?!setup\/|stage\/|meeting\/|file-review\/|consent\/|consent-session\/).*)?$/

export const participant: FrontEnd = {
  name: 'app',
  script: 'participant/app.tsx',
  styles: ['participant/app.css'],
  texts: ['form/lang', 'participant/lang'],
  path: [PATH],
  budget: 60,
  offline: {
    page: '/app/',
    worker: {
      path: '/app/sw.js',
      // What sends entries is the code of the app.
      parts: ['worker/worker.ts', 'participant/device/background.ts'],
      // The database of shared tablets, where the worker sends nothing.
      without: ['#web/participant/device/shared/*'],
    },
    laterTexts: ['form/lang/fill'],
    some: {
      // Of shared tablets, where texts of all languages are needed.
      tablet: ['participant/tablet', 'participant/device/shared'],
      // Of browsers without `Temporal`.
      older: ['temporal-polyfill'],
      // Of people whom the server has refused something in another language than English: there was a connection then.
      refusals: ['kit/refusals'],
      // Of people who have a form with a pattern.
      patterns: ['form/engine/patterns.ts'],
    },
    budget: 150,
    budgets: { patterns: 45 },
  },
}
