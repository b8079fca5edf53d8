/** The manifest with which a phone puts the app of participants on its home screen. */

/** Pictures of the app, by their names among the files of the pages. Systems cut `maskable` to a shape of their own. */
const ICONS = [
  { name: 'icon.svg', sizes: 'any', purpose: 'any' },
  { name: 'icon-192.png', sizes: '192x192', purpose: 'any' },
  { name: 'icon-512.png', sizes: '512x512', purpose: 'any' },
  { name: 'icon-maskable.png', sizes: '512x512', purpose: 'maskable' },
] as const

/** The names of all pictures of the app; Apple's devices take theirs from the page. */
export const iconNames = ['icon-192.png', 'icon-512.png', 'icon-maskable.png', 'icon-apple.png'] as const

/** The colour of the page in light and in dark (`--paper` in `kit/page/tokens.css`), for the bars of the system around it. */
export const pageColours = { light: '#f4f7f6', dark: '#0e1615' }

/** The manifest, as text. @param assets the address of each picture, by name */
export const webManifest = (assets: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    id: '/app/',
    name: 'Trialbox',
    short_name: 'Trialbox',
    start_url: '/app/',
    scope: '/app/',
    display: 'standalone',
    theme_color: pageColours.light,
    background_color: pageColours.light,
    icons: ICONS.map(({ name, sizes, purpose }) => ({
      src: assets[name],
      type: name.endsWith('.svg') ? 'image/svg+xml' : 'image/png',
      sizes,
      purpose,
    })),
  })
