/** What all pages share: requests to the API, and error texts. */

/** Sends a request to the API and returns the body. A refusal is thrown as an Error whose message can be shown. */
export async function ask(method, path, body, csrfToken) {
  const headers = { Accept: 'application/json' }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (csrfToken) headers['X-CSRF-Token'] = csrfToken
  let response
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  } catch {
    throw new Error('The server cannot be reached. Try again in a moment.')
  }
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  throw Object.assign(new Error(textOf(answer)), { status: response.status })
}

/** The problems of all fields, or the message if there are none. */
function textOf({ message, validations }) {
  const problems = Object.entries(validations?.json ?? {}).map(([field, list]) => `${field}: ${list.join(' ')}`)
  return problems.length ? problems.join(' · ') : message || 'Something went wrong.'
}

/** Calls `act` when a form is submitted, never twice at a time, and shows its error in the form. */
export function onSubmit(form, act) {
  const fault = form.querySelector('.fault')
  const button = form.querySelector('button')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    fault.hidden = true
    button.disabled = true
    try {
      await act(Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== '')))
    } catch (error) {
      fault.textContent = error.message
      fault.hidden = false
    }
    button.disabled = false
  })
}

export const byId = (id) => document.getElementById(id)
