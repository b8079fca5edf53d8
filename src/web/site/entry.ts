/** The pages of the site, which the server writes, with the scripts that some of them have. */
import type { FrontEnd } from '#web/kit/frontEnd'

const style = 'site/style.css'
const own = { styles: [style], texts: ['site/lang'] }
const ofAccount = { styles: [style], texts: ['kit/signIn/lang', 'site/lang/account'] }

export const site: readonly FrontEnd[] = [
  { ...own, name: 'landing', script: 'site/landing.ts', path: [/^\/$/], budget: 10.5 },
  // The parts of the account, each with an address of its own.
  {
    ...ofAccount,
    name: 'account',
    script: 'site/account/account.tsx',
    path: [/^\/account(\/(profile|email|password|two-step|sessions|keys|forgotten))?$/],
    budget: 28,
  },
  { ...ofAccount, name: 'setup', script: 'site/account/setup.tsx', path: [/^(\/app)?\/setup\/[^/]+$/], budget: 28 },
  { ...own, name: 'health', script: 'site/health.tsx', path: [/^\/health$/], budget: 24 },
  // On test servers only.
  { ...ofAccount, name: 'gallery', script: 'site/gallery.tsx', path: [/^\/ui$/], budget: 32 },
  // Swagger UI is not ours.
  { name: 'docs', script: 'site/docs.ts', styles: ['site/docs.css'], texts: [], path: [/^\/docs$/] },
  { name: 'manual', styles: [style, 'site/manual.css'], texts: [], path: [/^\/manual(\/|$)/] },
  { name: 'trust', styles: [style, 'site/trust.css'], texts: [], path: [/^\/trust$/] },
]
