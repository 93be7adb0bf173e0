// Command provisioner makes the volumes of the sandbox's storage classes: a folder for each claim, and more capacity for
// a claim that may grow. It owns no other provisioner's claims and volumes.
package main

import (
	"context"
	"flag"
	"os/signal"
	"syscall"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	"sigs.k8s.io/sig-storage-lib-external-provisioner/v13/controller"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig file; empty means in-cluster")
	root := flag.String("root", "", "folder that holds the volumes, the same on every node")
	name := flag.String("name", "kuberly.io/sandbox", "provisioner name, as the storage classes give it")
	klog.InitFlags(nil)
	flag.Parse()
	if *root == "" {
		klog.Fatal("--root is missing")
	}
	cfg, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		klog.Fatal(err)
	}
	cfg.QPS, cfg.Burst = 100, 200
	client, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		klog.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	go newGrower(client, *name).run(ctx)
	controller.NewProvisionController(ctx, client, *name, folders{root: *root}, controller.LeaderElection(false)).Run(ctx)
}
