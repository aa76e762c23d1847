/* The page as it starts: numbers unpacked, a viewer for each image. */

function themes(viewers) {
  const button = document.getElementById("theme"), root = document.documentElement;
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    viewers.forEach((viewer) => viewer.update());
  });
}

/* Images of the same size show the same place; one volume belongs to all of the others'. */
function follow(viewers, leader) {
  const n = leader.view.image.n;
  for (const other of viewers) {
    const m = other.view.image.n;
    if (other === leader || n[0] !== m[0] || n[1] !== m[1] || n[2] !== m[2]) continue;
    const same = n[3] === m[3] && other.view.image.volumeName === leader.view.image.volumeName;
    other.view.place = [...leader.view.place.slice(0, 3), same ? leader.view.place[3] : other.view.place[3]];
    other.update();
  }
}

async function start() {
  const images = JSON.parse(document.getElementById("data").textContent), viewers = [];
  if (images.length && typeof DecompressionStream === "undefined")
    throw new Error("this browser is too old to unpack the images (it has no DecompressionStream)");
  for (const image of images) {
    for (const part of image.parts) part.codes = await decode(part.data);
    const section = document.getElementById(image.map ? "maps" : "images"), viewer = new Viewer(image, (leader) => follow(viewers, leader));
    section.hidden = false;
    section.querySelector(".viewers").append(viewer.element);
    viewers.push(viewer);
  }
  document.querySelector("#images .viewers").classList.toggle("pair", images.filter((image) => !image.map).length > 1);
  for (const element of document.querySelectorAll(".only-script")) element.hidden = element.id === "keys" && !images.length;
  themes(viewers);
  viewers.forEach((viewer) => viewer.draw());
  addEventListener("resize", () => viewers.forEach((viewer) => viewer.fit()));
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  const trouble = document.getElementById("trouble");
  trouble.hidden = false;
  trouble.textContent = `The images cannot be shown: ${error.message}`;
});
