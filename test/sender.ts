/** Sends the requests of people in tests. */

/** The address of the service, the credentials, and how a request is sent. */
type Connection = {
  fetch: (url: string, init: RequestInit) => Promise<Response>
  origin: string
  headers: Record<string, string>
}

/** Content of a request. `raw` is a body that is sent unchanged. */
type RequestParts = { body?: unknown; raw?: string; headers?: Record<string, string> }

/** Returns a function that sends any request and returns its answer, whatever the status; a body that is not JSON as text. */
export function makeSender({ fetch, origin, headers }: Connection) {
  return async (method: string, path: string, request: RequestParts = {}) => {
    const content = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
    const response = await fetch(origin + path, {
      method,
      headers: {
        Accept: 'application/json',
        ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
        ...request.headers,
      },
      ...(content === undefined ? {} : { body: content }),
    })
    const text = await response.text()
    const isJson = /^application\/(fhir\+)?json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text }
  }
}
