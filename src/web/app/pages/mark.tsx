/** The sign of the app. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" />
    <path d="M9 16.5l5 5 9.5-11" />
  </svg>
)
