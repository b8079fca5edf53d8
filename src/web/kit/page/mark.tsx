/** The sign of the app, as on the home screen. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" />
    <path d="M8 11h16M16 11v13" />
    <circle cx="24" cy="22" r="2.4" />
  </svg>
)
