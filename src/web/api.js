/** What all pages share: asking the API, and saying what went wrong. */

/** Asks the API. What it refuses is thrown as an Error whose message is fit to show. */
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
  throw Object.assign(new Error(sentence(answer)), { status: response.status })
}

/** Every problem of a form, or the message. */
function sentence({ message, validations }) {
  const problems = Object.entries(validations?.json ?? {}).map(([field, list]) => `${field}: ${list.join(' ')}`)
  return problems.length ? problems.join(' · ') : message || 'Something went wrong.'
}

/** Runs `act` when a form is sent, once at a time, and shows in the form why it did not work. */
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
