// Search in pages opened from disk. Browsers start no worker from a file, so the worker's script runs in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(address) {
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.onload = () => {
        const inside = this.frame.contentWindow;
        inside.postMessage = (data) => this.deliver(this, data);
        const script = inside.document.createElement("script");
        script.src = new URL(address, location.href).href;
        script.onload = () => {
          const messages = this.waiting;
          this.waiting = null;
          messages.forEach((data) => this.postMessage(data));
        };
        script.onerror = (event) => this.onerror?.(event);
        inside.document.head.append(script);
      };
      document.body.append(this.frame);
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.deliver(this.frame.contentWindow, data);
    }

    deliver(receiver, data) {
      const copy = structuredClone(data); // what a worker gets is its own: page and script share no object
      setTimeout(() => receiver?.onmessage?.({ data: copy }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
