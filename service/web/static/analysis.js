// A page of playouts follows them: what changes is fetched again until it is done. Without scripts the page reloads itself.
const part = document.getElementById("fresh");

async function follow() {
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = fresh.getElementById("fresh");
    if (!part.contains(document.activeElement)) part.innerHTML = next.innerHTML;
    if (next.dataset.refresh) setTimeout(follow, Number(next.dataset.refresh) * 500);
    else if (document.activeElement === document.body || part.contains(document.activeElement)) location.reload();
    else part.innerHTML = next.innerHTML;
  } catch {
    setTimeout(follow, 4000);
  }
}
setTimeout(follow, Number(part.dataset.refresh) * 500);
