/** The pages of staff. */

import { staffLanguages } from '#web/console/lang/staffLanguages'
import type { FrontEnd } from '#web/kit/frontEnd'

export const staffConsole: FrontEnd = {
  name: 'console',
  script: 'console/console.tsx',
  styles: ['console/console.css'],
  texts: ['kit/signIn/lang', 'console/lang/shell'],
  languages: staffLanguages,
  // The areas within are found by the script (`shell/areas.ts`).
  path: [/^\/console(\/.*)?$/],
  budget: 60,
  areas: {
    'console/areas/studies/area.ts': 2,
    'console/areas/participants/area.ts': 14,
    'console/areas/participants/participant/area.ts': 34,
    // With the form and its engine, which it shares with the casebook.
    'console/areas/queries/area.ts': 30,
  },
}
