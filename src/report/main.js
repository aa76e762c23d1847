/* The page as it starts: numbers unpacked, a viewer for each image. */

function themes(viewers) {
  const button = document.getElementById("theme"), root = document.documentElement;
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    viewers.forEach((viewer) => viewer.redraw());
  });
}

/* Images of the same size show the same place; volumes only where they count the same. */
function followPlace(leader, other) {
  const n = leader.view.image.n, m = other.view.image.n;
  if (n[0] !== m[0] || n[1] !== m[1] || n[2] !== m[2]) return false;
  const same = n[3] === m[3] && other.view.image.volumeName === leader.view.image.volumeName;
  other.view.place = [...leader.view.place.slice(0, 3), same ? leader.view.place[3] : other.view.place[3]];
  return true;
}

/* Images, not maps, that show the same part, where the button says so. */
function followWindow(leader, other) {
  const together = document.getElementById("together").getAttribute("aria-pressed") === "true";
  if (!together || leader.view.image.map || other.view.image.map || leader.view.part.name !== other.view.part.name) return false;
  if (leader.view.low === other.view.low && leader.view.high === other.view.high) return false;
  other.view.part.shown = leader.view.part.shown.slice();
  return true;
}

function follow(viewers, leader, moved) {
  for (const other of viewers) {
    if (other === leader) continue;
    const follows = [moved && followPlace(leader, other), followWindow(leader, other)];
    if (follows.includes(true)) other.redraw();
  }
}

function joinWindows(viewers) {
  const button = document.getElementById("together"), images = viewers.filter((viewer) => !viewer.view.image.map);
  button.hidden = images.length < 2;
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") !== "true");
    follow(viewers, images[0], false);
  });
}

async function start() {
  const images = JSON.parse(document.getElementById("data").textContent), viewers = [];
  if (images.length && typeof DecompressionStream === "undefined")
    throw new Error("this browser is too old to unpack the images (it has no DecompressionStream)");
  for (const image of images) {
    for (const part of image.parts) part.codes = await decode(part.data);
    const section = document.getElementById(image.map ? "maps" : "images"), viewer = new Viewer(image, (leader, moved) => follow(viewers, leader, moved));
    section.hidden = false;
    section.querySelector(".viewers").append(viewer.element);
    viewers.push(viewer);
  }
  document.querySelector("#images .viewers").classList.toggle("pair", images.filter((image) => !image.map).length > 1);
  for (const element of document.querySelectorAll(".only-script")) element.hidden = element.id === "keys" && !images.length;
  themes(viewers);
  joinWindows(viewers);
  viewers.forEach((viewer) => viewer.draw());
  addEventListener("resize", () => viewers.forEach((viewer) => viewer.fit()));
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  const trouble = document.getElementById("trouble");
  trouble.hidden = false;
  trouble.textContent = `The images cannot be shown: ${error.message}`;
});
